"""How work done and to do, names, environment facts and reasons sound. General words only."""

from __future__ import annotations

import re

from harness.extract.cues import Cues

_VERBS = (
    "add|create|write|fix|update|remove|move|rename|delete|implement|wire|convert|port|extract|handle"
    "|replace|make|use|set|change"
)
NEXT = Cues(
    en=r"""
    next|i'll|i will|we'll|(?:i'm|i am|we're) going to|going to|to do|todo|left to do|that leaves
    remain(?:s|ing)?|leaves|outstanding|pending|yet to|(?:moving )?on to|over to|beginning with
    still (?:have|has|needs?|to|missing|open|left|violates?|fails?)|starting (?:with|on)|working on
    not (?:yet )?(?:done|written|started|implemented|handled|there)|continu(?:e|ing)|wiring|writing
    (?:isn't|aren't|hasn't|haven't)\b[^,;]{0,30}\byet|adding|turning to|after that|afterwards|then i
    belongs? in|up next|to follow|left is|later|follow(?:s|ing)? up|the rest|unfinished|tackling
    will (?:do|add|write|fix|handle|rename|use|make|then|also|be|need|come|follow|go)|proceeding
    half[- ](?:done|finished)|plan(?:ning)? to|(?:need|have|want) to|goes? (?:in|into|to)|getting to
    heading (?:to|for)|what's left|missing (?:is|are)|to go|open (?:is|are|point|item)s?|remaining
    need(?:s)? (?:a|to be)|now (?:for|the)|let me(?! know)|let's
    i'm (?:now |also |just )?(?!leav|keep|skip|assum|think|wonder|guess|see|hop|miss|getting)\w+ing
    """,
    raw=rf"""
    ^\W*(?:and |so )?(?:now|then),? (?:also |we |just )?(?:{_VERBS})\b
    """,
    zh=r"""
    接下来|下一(?:步|个)|还(?:没|差|要|需|剩|得|未|有|缺)|剩(?:下|余|的)|待(?:办|做|完成|处理|补)|尚
    马上|正在|继续|轮到|接着|后面|稍后|待会|回头|最后|该(?=[做写改])|放(?:在|到|进)?(?=\s?[a-z`])
    要(?=[改加写做补建拆])|准备|随后|未完成|没(?:做|写|完成|动|改|接|开始|处理)|也要|这就|下面|然后
    再(?:做|写|改|补|加|去|来|把|给)|(?<![首优])先(?!后|前|进)|会(?=[改加写做把补用在给先从按])|开始
    我来|我去|现在(?:做|改|写|去|来|处理)|等.{1,20}再
    让我(?!们知道)
    """,
)
DONE = Cues(
    en=r"""
    (?:is|are|was|were|been|got)\b[^,;]{0,30}\b(?:done|finished|completed?)|(?:passes|passed|works)
    (?:i've|it's|now|both|all|i|that's)\b[^,;]{0,30}\b(?:done|finished|completed?)
    (?:is|are|was|were|been|got)\b[^,;]{0,24}\b(?!need|call|us|unchang|untouch)[a-z]{2,12}ed
    (?:i've|it's|now|both|all|i|that's)\b[^,;]{0,24}\b(?!need|call|us|unchang|untouch)[a-z]{2,12}ed
    (?:is|are|was|were|been|now|i've|all|both)\b[^,;]{0,30}\b(?:written|red|in place|split)
    (?:is|are|was|were|been|now|i've|all|both)\b[^,;]{0,30}\b(?:set|gone|ready|shown|in)
    (?:is|are|now|all|both)\b[^,;]{0,30}\b(?:passing|passes|green|working)
    (?:is|are|now|all|both)\b[^,;]{0,30}\b(?:works|built|merged|through|out)
    now (?!for|the|i|on|to|we|let)\w+s
    """,
    start=r"""
    done|finished|fixed|added|implemented|written|wrote|updated|removed|renamed|moved|created|split
    replaced|converted|ported|completed|handled|wired|switched|extracted|dropped|deleted|cleaned
    """,
    raw=r"""
    \b(?:written|done|finished|handled|in place|implemented|wired up|works|passes|passed|green)\W*$
    """,
    zh=r"""
    (?<!未)完成(?!后|前)|(?:写|做|改|修|弄|搞|处理|加|删|换|建|补)[完好](?:了|毕|[，。,；]|$)|搞定
    (?:跑|测|接|移|拆|合|调|配|迁|导|封装|统一|实现)[完好](?:了|毕|[，。,；]|$)|跑通|通过|好了|完毕
    已(?:经)?[改写加修完做换删移替设接处补建支实拆合调配拦过迁]|收尾|转绿|成功|都[过绿]了|设为
    (?:加|改|写|做|修|删|换|建|补|接|移|拆|去掉|迁)(?:上|掉)?了
    """,
)
NOT_DONE = Cues(
    en=r"""
    not|isn't|aren't|hasn't|haven't|yet|still|fail(?:s|ed|ing)?|violates?|can't|couldn't|would|could
    if|didn't|(?:was|were|got|been) (?:\w+ly )?(?:refused|rejected|denied|declined|blocked|aborted)
    (?:was|were|got|been) (?:\w+ly )?(?:cancell?ed|interrupted|skipped|postponed|deferred|abandoned)
    (?:edit|patch|change|hunk|diff)s? [^,;]{0,40}(?:is|are) (?:refused|rejected|denied|blocked)
    (?:refused|rejected|denied|declined|blocked) (?:the|my|our|that|this|it|its|to)
    """,
    zh=r"""
    没(?!问题)|未|还差|还要|不通|失败|连不上|报错|不足|等.{1,16}(?:后|再)
    被.{0,6}(?:拒绝?|驳回|退回|否决|[拦挡](?:[下住截回])?)(?:[来去])?了
    (?:修改|改动|补丁|编辑|写入|替换|变更).{0,30}?被.{0,6}(?:拒|驳回|退回|否决|拦|挡)
    """,
)
_LEAD = (
    r"^\W*(?:(?:ok|okay|sure|fine|right|good|great|perfect|well|actually|now|first|next|then|also"
    r"|so|just|quickly|and|let me|let's|i'll|i will|i'm|i am"
    r"|(?:i'm going|i need|we need|i have|i want) to)\W+){0,5}"
)
LOOKING = Cues(
    raw=rf"""
    {_LEAD}(?:look|read|check|see|open|find|search|verify|inspect|examin|explor|understand|compar)
    {_LEAD}(?:view|confirm|make sure|double-check|grep|list|trac|locat|identify|study|scan|wait)
    {_LEAD}(?:have|take|having|taking) (?:a|another) (?:\w+ )?look
    {_LEAD}(?:re-?)?run(?:ning)? (?:\S+ ){{0,4}}(?:tests?|checks?|checker|suites?|build|it|them)\b
    {_LEAD}(?:re-?)?run(?:ning)? (?:\S+ ){{0,4}}\W*(?:type-?checks?|lint(?:er|ing)?|verification)\b
    """,
    zh=r"""
    ^\W*(?:好的?|明白|收到|行|那)?[，,。\s]*让?我?(?:再|先|正在|来|去)?(?:看|读|查|搜|检查|瞧)
    ^\W*(?:好的?|明白|收到|行|那)?[，,。\s]*让?我?(?:再|先|正在|来|去)?(?:了解|确认)
    ^\W*(?:好的?|明白|收到|行|那)?[，,。\s]*让?我?(?:再|先|来|去)?[跑运]行?[一下遍]{0,2}.{0,4}(?:测试|检查)
    """,
)
"""Reading and trying out only: no piece of work."""
INTENDS = re.compile(
    r"\W*(?:那|接下来|现在)?(?:就)?(?:让我|我来|我去)(?:先|再)?"
    r"|\W*(?:(?:ok|okay|good|great|perfect|well|actually|now|first|next|then|also|so|just)\b\W*)*"
    r"(?:(?:let me|let's|i'll|i will|we'll|i'm going to|(?:i|we) (?:need|have|want) to|i'm)\b\W*"
    rf"(?:(?:now|first|also|just|then)\b\W*)*|(?=(?:{_VERBS})\b))"
)
"""Opens the announcement of a step."""
REMARK = Cues(
    en=r"""
    oops|whoops|you(?:'re| are) right|i (?:accidentally|mistakenly|forgot|missed|misread|overlooked)
    i (?:see|notice|think|wonder|guess|suspect|know|understand)|(?:was|is|were|are) wrong|my mistake
    (?:problem|issue|error|cause|reason|trouble|bug)s? (?:is|was|are|were) (?:that|in|with|the)
    there (?:is|are|was|were) (?:still |some |many |several )*(?:errors?|problems?|issues?|bugs?)
    i (?:now )?have (?:a|an|the|all|enough|what)
    """,
    raw=r"""
    ^\W*(?:excellent|great|perfect|nice|awesome|good)(?: \w+)?\W*$
    """,
    zh=r"问题(?:是|在|出在)|原来|原因(?:是|在)|不好|糟|[放写改搞弄看]错|忘了|我(?:发现|注意到|觉得|想|猜)|你说得对",
)
"""After a write: praise, trouble, something noticed; not what the write has done."""
OFFER = Cues(
    en=r"""
    (?:shall|should|may) (?:i|we)|do you want|would you like|(?:i|we) could|i can also|i propose
    i(?:'d)? suggest|how about|want me to|i might|alternatively|option|if you (?:like|want|prefer)
    one way|(?:two|three) (?:ways|options)|i'd (?:say|recommend|go|rather|use|also|move|make)
    recommend
    """,
    zh=r"要不要|是否|需要我|要我|可以(?:考虑|顺便|顺手|用|把)|建议|方案|或者|不如|倾向|推荐",
)
LABEL = re.compile(
    r"\W*(?:(?P<done>(?:(?:done|finished|completed)(?: with)?|(?:已经?)?(?:完成|做完))\s*[:：])"
    r"|(?:next(?: up)?|now|then|to ?do|remaining|接下来|下一步|现在|然后|待办|剩下)\s*[:：]"
    r"|(?:(?:now )?working on|continuing with|moving on to|starting (?:on|with)|on to|next up is)\b"
    r"|正在(?:处理|进行|做)|继续(?:处理|做)|开始(?:处理|做)|着手)\s*[:：]?\s*"
)
"""Opens a line of the assistant that names a step it has finished or comes to."""
REQUEST = Cues(
    en=r"""
    please|kindly|need (?:a|an|the|to|you|some|help)|i need|we need|want (?:a|an|the|to|you|that|it)
    i want|i'd like|should like|(?:can|could|would) you|help|bug|broken|feature|let's|must|missing
    we're (?:porting|moving|splitting|adding|writing|building)|splitting|porting|moving|adding
    migrating
    """,
    start=r"""
    fix|add|write|make|implement|build|create|port|move|rename|split|refactor|update|change|convert
    extract|remove|delete|replace|migrate|clean|document|test|run|finish|generate|support|handle|put
    extend|wire|introduce|switch|turn|bump|rewrite|export|wrap|merge|reduce|show|give|hook|bring|log
    teach|speed|drop|sort|parse|print
    """,
    raw=r"""
    \b(?:next|then|also|and|now)[,:]? (?:fix|add|write|make|implement)\b
    \b(?:next|then|also|and|now)[,:]? (?:rename|move|do|update|remove)\b
    """,
    zh=r"""
    帮(?:我|忙)?|请|麻烦|需要|再(?:来|加|给|把|做|写|看|补)|加(?:个|一|上|条)|新增|实现|写(?:个|一)
    修(?:了|一下|复|掉|下)|做(?:个|一|成)|重写|改(?:造|成|一下|的是|下)|迁(?:移|到)|给.{1,30}加|支持
    把.{1,30}[改换做加写拆移删迁抽修]|下一个|要(?:加|改|做|写|支持|实现|迁)|拆[成分]|统计|优化|接入
    换成|想(?:加|要|做)|弄(?:个|一|好)
    """,
)
ASKED = Cues(
    raw=r"^\W*(?:please|pls|plz|kindly|can you|could you|help|let's|i need|i want|we need)\b",
    zh=r"^\W*(?:请|帮|麻烦|把|给|我要|我想|需要)",
)
"""Opens the request that sets the task."""
NEW_WORK = Cues(
    raw=r"""
    ^\W*(?:next|also|then|now|ok|and|great|good)\W+(?:please |can you )?(?:add|write|do|fix|make)\b
    ^\W*(?:next|also|then|now)\W+(?:please |can you )?(?:look|start|implement)\b|\bwhat i'd like\b
    \b(?:help|have a look|take a look|look at|next (?:is|up|one)|let's|can you|could you)\b
    \bi'd like (?:a|an|you|\w+ (?:small|new|more))\b
    ^\W*(?:now|next) (?:i|we) (?:only |just )?(?:need|want)\b
    """,
    zh=r"""
    再(?:来|给|看|写|做|把|帮)|接下来|下一[个步]|帮(?:我|忙)|麻烦|看[下看一]|另外.{0,4}[写做加]|顺便
    轮到|继续|辛苦|动手|开始|^\W*(?:现在|接着|然后)(?:请|要|[写做改加])|^\W*抓|^\W*要改的
    """,
)
"""Begins another piece of work, where REQUEST may only tell how to do the present one."""

IDENT = re.compile(
    r"`[^`\n]+`"
    r"|(?<![\w./-])--?[a-z][\w-]+"
    r"|(?<![A-Za-z0-9_./])[A-Za-z_][A-Za-z0-9]*_[A-Za-z0-9_]*(?:\(\))?"
    r"|(?<![A-Za-z0-9_./])[a-z]+(?:[A-Z][a-z0-9]+)+(?:\(\))?"
    r"|(?<![A-Za-z0-9_./])[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]*)+"
    r"|(?<![A-Za-z0-9_./])[A-Za-z_][A-Za-z0-9_]*\(\)"
    r"|(?<![A-Za-z0-9_./])[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_]*)+"
    r"|(?<![A-Za-z0-9_./])[a-z][a-z0-9]*[:_-](?![A-Za-z0-9/])"
    r"|(?<![A-Za-z0-9_./])[a-z]{2,}(?:-[a-z0-9]+)+(?![A-Za-z0-9_./-])"
)
NAME_STYLE = Cues(
    en=r"""
    (?:camel|snake|kebab|pascal|title|upper|lower)[ _-]?case|prefix(?:ed|es)?|suffix(?:ed|es)?
    past tense|plural|singular|underscores?|naming|hyphen(?:s|ated)?|\d+ (?:chars?|letters?)|dashes
    abbreviat\w+
    """,
    zh=r"""
    驼峰|蛇形|前缀|后缀|命名|下划线|中划线|连字符|(?:大写|小写)|[开打]头|结尾|拼音|复数|单数|过去式
    缩写
    """,
)
_NOUN = (
    "(?:name|identifier|constant|key|variable|function|class|method|column|field|table|flag|event|topic"
    "|metric|label|branch|exception|type|struct|enum|endpoint|package|helper|half|module|test)s?"
)
_NOUN_ZH = (
    "(?:函数|变量|常量|字段|[列表]|类|方法|事件|指标|标签|分支|规则"
    "|键|key|接口|枚举|主题|队列|参数|异常)名?"
)
NAMES = re.compile(
    rf"\b{_NOUN}\b[^,;.]{{0,40}}\b(?:is|are|be|becomes?|named|called|name)\s+[`\"]?$"
    rf"|\b(?:new|add|adding|name|the) (?:\w+ )?{_NOUN} [`\"]?$|\bname [`\"]?$"
    rf"|{_NOUN_ZH}\s*(?:[用为是叫取]|名为|叫做|:|：)?\s*[`「\"]?$"
    r"|(?:加|新增|新建|定义|[改换]成|自定义)(?:一?个)?\s*[`「\"]?$"
)
"""Stands right before a name that is given."""
NAME_CUE = Cues(
    en=r"call (?:it|them|this)|let it be|rename[ds]? (?:it|them|to)|names? (?:is|are|of)",
    zh=r"改名|取名|命名|自定义|统称|名字|叫(?:做|作)",
)
NAMED = Cues(
    en=r"(?:called|named|call it|name it|call them|rename it to|known as) "
    r"(?!from|by|in|with|at|on|when|after|before|once|twice|directly)[`\"']?[a-z_]\w*",
    raw=r"\b(?:begin|start|end)s? (?:in|with) [`\"']?(?:[a-z]\w*_|_\w)",
    zh=r"(?:叫|名为|名叫|命名为|改名为?|取名|名字[是用]|名称[是用])(?:做|作)?\s*[`\"「“]?[a-z_][\w.:-]*",
)
ENV = Cues(
    en=r"""
    arm64|aarch64|x86(?:_64)?|amd64|linux|macos|windows|gpus?|cpus?|time ?zone|locale|listens?|venv
    (?:default|main) branch|(?:runs?|runn(?:er|ing)) (?:on|under|inside|with)|hosted|reachable|pnpm
    installed|installs|laptops?|virtualenv|environment|env var|yarn|poetry|conda|bazel|jenkins|proxy
    (?:the|our) (?:ci|staging|prod\w*|build|test|dev) (?:machine|server|box|host)|offline|mirror|vpn
    (?:the|our) (?:ci|staging|prod\w*|build|test|dev) (?:runner|environment|database|db|cluster)|ssh
    (?:token|key|secret)s? (?:is|are|lives?|sits?|comes?|in|from|under|at|read)|air-?gapped|esp32
    (?:password|certificate|credential)s? (?:is|are|lives?|sits?|comes?|in|from|under|at|read)|stm32
    (?:staging|production|cluster|simulator) (?:is|has|runs|uses|sits|lives)|stuck (?:on|with|at)
    (?:emulator|device|board|sensor|gateway) (?:is|has|runs|uses|sits|lives)|(?:we're|we are) on|gbk
    (?:make|npm run|npm|cargo|pytest|pip|uv|tox) [a-z-][\w:.-]*|no (?:internet|network)|raspberry
    (?:nox|docker|kubectl|mvn|gradle|gradlew|ctest|bundle|mix) [a-z-][\w:.-]*|arduino|latin-?1|db is
    (?:dotnet|npx|terraform|pre-commit|tox -e) [a-z-][\w:.-]*|utf-?16|database|server is
    (?:python3?|go|swift|dart|flutter) (?:-m|run|test|build|generate|vet) ?[\w:.-]*
    (?:zig|deno|bun|sbt|lein) (?:-m|run|test|build|generate|vet) ?[\w:.-]*
    (?:folder|directory|dir|account|role) (?:is|are|at|called|named)
    (?:sits?|lives?|mounted|served|kept|stored|found) (?:on|at|in|under|behind)
    """,
    zh=r"""
    版本|环境|服务器|容器|镜像|密钥|代理|跑在|部署在|装[的了]|虚拟机|内网|外网|密码|凭证|令牌|证书
    [测目].{0,2}库(?=[在是叫用])|内存|显存|磁盘|命令[是用：:]|显卡|编译器|离线|断网|账号|集群|主分支
    时区[是为用]|分支叫|内核|构建机|测试机|机器[上是只有没装]|板子|设备[上是只有]|预发|系统是|笔记本
    现场|数据库[在是用]|树莓派|qps|配额|限流|带宽|波特率|采样率|编码是|目录(?:是|在|：)|权限|手机上
    [目录]\s?[`/]|只读账号|单片机|芯片|固件
    """,
    raw=r"""
    https?://|s3://|\.env\b|\.venv|~/[\w.]|`(?:(?<=via `)|(?<=use `)|(?<=run `))[^`\n]+`
    /(?<![\w.:~]/)(?:etc|usr|var|opt|mnt|srv|home|data|tmp|run|root|dev|proc|app|volumes?)/[\w.@/-]+
    `(?:(?<=with `)|(?<=through `)|(?<=[走用跑行令]`)|(?<=[走用跑行令] `))[^`\n]+`|`\./[^`\n]+`
    `(?:\./|[a-z])[\w./-]* [^`\n]+`|\.(?:internal|local|lan|corp|invalid|com|net|org|io|cn)\b
    """,
)
ENV_NUMBER = Cues(
    en=r"""
    ports? ?(?:is |no\.? |number )?\d{2,5}|(?:udp|tcp|http|localhost)\b[^,;]{0,20}\d{2,5}
    (?:on|at|to) \d{4,5}|(?:\d{1,3}\.){3}\d{1,3}(?::\d+)?|v\d+\.\d+(?:\.\d+)*
    (?:python|node(?:\.?js)?|java|jdk|rust|ruby)[^,;.\d]{0,16}\d[\d.]*|\d+ (?:cores?|vcpus?|gigs?)
    (?:php|postgres(?:ql)?|mysql|mariadb|redis|sqlite|gcc)[^,;.\d]{0,16}\d[\d.]*
    (?:clang|cmake|kernel|ubuntu|debian|alpine|centos)[^,;.\d]{0,8}\d[\d.]*
    (?:android|ios|swift|kotlin|go|django|rails)[^,;.\d]{0,8}\d[\d.]*
    (?:react|vue|numpy|pandas|kafka|nginx|docker|gradle|maven) ?v?\d[\d.]*
    (?:npm|pnpm|yarn|bun|deno|cuda|torch|es|c\+\+) ?v?\d[\d.]*
    (?:version|release|firmware)s? (?:will be |is |of )?v?\d[\d.]*
    takes? (?:about |around |roughly )?\d+ (?:min|sec|hour)\w*
    (?:memory|ram|disk|heap)\b[^,;]{0,30}\d ?[kmgt]i?b|\d ?[kmgt]i?b (?:of )?(?:memory|ram|disk)
    """,
    zh=r"""
    (?:端口|监听)[^，。]{0,8}\d{2,5}|\d+\s*版|(?:在|到|连|连不上|连接)\s*\d{4,5}|\d+\s*[核台]
    (?<![\w.,-])(?!19|20)\d{4,5}(?![\d.,]|\s*(?:条|个|行|次|人|元|字|点|px|ms|步))
    (?<![\d.])\d+\.\d+(?:\.\d+)*\s*(?:版|以上|的(?:机|环|解))|\d+\s*[gmkt](?![a-z])
    (?<![\w.-])(?!top|bug|step|pr|v)[a-z][a-z+\#]{1,12}\s?\d{1,2}(?:\.\d+)*(?![\w.:/])
    跑[一完]?[遍次]?(?:大概|大约|要)?[^，。]{0,4}\d+\s*(?:分钟|秒|小时)
    """,
    raw=r"""
    :\d{4,5}\b|\d+\.\d+\.\d+(?![\d.])|\d{1,2}:\d{2}\b
    (?:python|node|jdk|java|go|mysql|redis|postgres)\s?[版用是]?\s?\d
    """,
)
"""Environment facts that hold a number."""
ENV_NAMED = re.compile(
    r"(?<![A-Za-z0-9_])[A-Z][A-Z0-9]*_[A-Z0-9_]{2,}(?![A-Za-z0-9_])"
    r"|(?<![A-Za-z0-9_.])(?!(?:Step|Bug|Top|Section|Option|Part|Phase|Type|Level|Case|Issue|PR|Line|Page|"
    r"Rule|Item|Column|Row|The|In|At|On|To|Only|Exactly|Within|After|Every|Use|Max|Min|Keep|Cap)\b)"
    r"[A-Z][A-Za-z+#]+ ?v?\d+(?:\.\d+)*[a-z]?(?![A-Za-z0-9_/-])"
)
"""Environment variables, and products with a version, in the case they are written in."""

CHOICE = Cues(
    en=r"""
    chosen?|chose|decid\w+|decision|go(?:ing)? with|went with|settle[ds]?|opt\w* for|pick(?:ed)?
    we(?:'ll| will)? (?:use|roll|keep|take|stay)|ruled? out|drop(?:ping)? (?:the|that|this)|scrap
    tempting|nope|so no|(?:is|are) out|won't do|not needed|in favou?r of|switch(?:ing)? to|has to go
    far too|i'd rather not|overkill|no (?:new|more)|instead
    """,
    zh=r"""
    就(?:用|选|上|它|这个|这么|按|走)|选(?:[了择用定]|\s?[a-z])|决定|定[了下]|还是用|不用.{1,12}了
    不想|不行|放弃|不要了|不考虑|不采用|否[了决]|走不通|没必要|收回|作废|敲定|弃用|那就|不上了|不选
    不引入
    """,
)
"""A choice or a refusal of the user."""
REJECTS = Cues(
    en=r"""
    reject(?:ed|ing)|(?:dropp|abandon|discard|scrapp)(?:ed|ing) (?:that|this|the|it)|ruled out
    gave (?:it|that|this) up|given up|giving up|not going with|decided against|went back to|dead end
    """,
    zh=r"放弃|否[了决掉]|行不通|走不通|弃用|不可行|改用|此路不通",
)
"""A way that was tried or weighed and left, whoever says so."""
REASON = Cues(
    en=r"""
    because|since|due to|reasons?|so that|otherwise|given that|thanks to|that's why|cost us|bit us
    which (?:would|has|means|is why)|would (?:merge|break|cost|lose|need|take|make|mean|be)|broke
    too (?:slow|much|big|expensive|risky|many|late|old|large|heavy|complex|fragile|noisy|far)|has no
    would (?:add|double|slow|lock|block|leak|drop|have|kill|hide)|drifted|abandoned|only has|no room
    can't|cannot|doesn't|does not|don't have|won't (?:fit|work|run|scale)|turned out|turns out
    so (?:no|we|it|that|the|you|they|i)|as (?:the|we|it|they|our|that)|is (?:\d|only|already)
    for (?:the|\w+) (?:sake|reasons?)|for (?:one|two|three|a few|a couple of|just)
    last (?:time|year|week)
    """,
    raw=r"[)\w] ?[—–] ?\w| - \w",
    zh=r"""
    因为|由于|所以|毕竟|否则|不然|免得|以免|省得|防止|为了|容易|太(?=[慢大贵重多复麻老长])|不支持|嫌
    会(?=[乱卡漏丢慢崩锁爆断重死被影出导造拖占泄失让把阻误报超])|没有.{0,12}(?:库|支持|权限|空间)|怕
    上次|上回|吃过亏|踩过|折腾|原因|理由|更(?=[要快稳省重安])|就(?:没法|收不到|得)|没人|扛不住|不够
    撑不住|来不及|没法|不兼容|实在|根本|受不了|线上
    """,
)
ACCEPTED = Cues(
    en=r"""
    let's (?:go|take|use|do)|go (?:with|for)|option \w
    (?:the )?(?:first|second|third|former|latter) (?:one|option)
    """,
    zh=r"那就(?:上|用|选|按|走)|就它了|就这[个么]|这个可以|[选用走上](?:方案|第)",
)
