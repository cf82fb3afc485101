"""How rules, and their withdrawal, sound in English and Chinese. General words only."""

from __future__ import annotations

from harness.extract.cues import Cues

NOT_A_BAN = Cues(
    en=r"""
    (?:do not|don'?t) (?:forget|worry|mind|bother(?! with|ing)|know|think|care|remember|hesitate)
    (?:i|we) (?:do not|don'?t) (?:share|buy|agree|know|think|care)|never without|not without|if not
    (?:i|we) (?:do not|don'?t) (?:mind|remember|see|understand|have|believe)|nothing but|never ?mind
    (?:no|without) (?:idea|worries|problem|rush|hurry|doubt|thanks|wonder|matter|need to worry)
    (?:no|not) (?:more|less|fewer|earlier|sooner|later|longer|bigger|larger) than|none other than
    (?:has|have|had|having|there is|there's|there are|got|it's) no|why (?:not|don'?t)|not only
    (?:that|which|who) (?:can ?not|can't|don't|isn't|aren't)|(?:can't|cannot) (?:do|live) without
    (?:that|which|who) (?:doesn't|does not|do not|never|is not|are not)|not sure|not bad|no big deal
    (?:if|when|whenever|where|whether)\b[^,;]{0,40}? (?:is|are|has|have|does|do|was) (?:not|no)
    (?:if|when|whenever|where|whether)\b[^,;]{0,40}? (?:isn't|aren't|doesn't|hasn't|can't|cannot)
    (?:they|it|he|she|that|which|then) stops?|no \w+ (?:will|would|can) (?:tell|notice|know|see)
    or not
    """,
    zh=r"""
    别(?:忘|担心|客气|急|误会|当真|受影响|理[他它她会]|听|信|紧张|慌|着急|笑|见怪|介意)|差不多|不错
    (?<=[级区分特性类个差辨鉴识告离派])别|别(?=[的人处名墅致])|非.{1,12}不可|不(?:得|能|可)不|不确定
    不(?:能|可|认识|支持|合法|符合|匹配|存在).{0,8}的(?=.{2})|不知道|不好意思|要不要?|能不能|是不是
    不(?:低于|少于|早于|小于|超过|大于|多于|晚于|高于)|可不可以|不同|不一样|不仅|不光|不但|不过|不管
    不论|不少|不太懂|不然|不支持|根本不|早不|本来不|就不(?=[看做显出够会行是好])|也不知
    不.{1,10}(?=就|会)
    """,
)
"""Negations that forbid nothing; blanked before BAN is tried."""

BAN = Cues(
    en=r"""
    do not|don'?t|never|must ?n'?t|must not|shall not|shan'?t|should ?n'?t|should not|may not|forbid
    (?:you|we|code|this|that|these|those|they|it) (?:can ?not|can'?t|won'?t|will not)|ought not
    (?:can ?not|can'?t) (?:be|have|use|go|touch)|forbidden|forbids|prohibit\w*|bann?(?:ed)?|avoid\w*
    not (?:allowed|permitted|acceptable|negotiable|an option|ours?|for us|to be|supposed|touch\w*)
    (?:is|are|be)n'?t (?:allowed|permitted|acceptable|ours?|negotiable|supposed|an option|to be)
    off[- ]?limits|hands[- ]off|out of (?:scope|bounds)|off the table|refrain\w*|untouched|taboo
    unmodified|verboten|under no circumstances|at no point|leave (?:it|that|the|this)|hands off
    (?:leave|let) [^,;]{1,60}? (?:alone|as (?:it )?is|as they are|be)|read[- ]only|no touching
    (?:keep|stay|steer|away) (?:out of|away|clear|off|from)|(?:stop|quit) \w+ing|prefer not
    rather (?:not|you didn'?t|we didn'?t)|prefer (?:you|we) didn'?t|zero (?:tolerance|new)|no longer
    (?:nothing|nobody|none|no one)(?: \w+){0,3} (?:may|should|must|can)
    (?:nothing|nobody|none|no one)(?: \w+){0,3} (?:gets?|goes|touch\w*|outside|else)
    nothing (?:\w{2,}er|except|beyond)|no(?= [\w`"'(/-])(?! longer| need| one| matter)
    """,
    zh=r"""
    别(?=[^，。]|$)|禁止|(?:一律|统一|全部|绝|从|永)不(?![能可]?[少低超])|严禁|切勿|请勿|切忌|杜绝
    不(?:要|准|许|得|允许|能|可以|可|必|用|想|该|应|宜|再|需要|希望|愿|喜欢|兴|敢|归)(?!是)|避免|甭
    绝不|决不|从不|永不|勿(?=\S)|没必要|无需|谢绝|忌讳|莫(?=[改动碰用])|尽量(?:别|不|少)|犯不着|免了
    只读(?=$|[，。,. 的吧处看不])|能不.{1,10}(?:就|尽量)?[不别]|少(?=[动改碰用写加搞引依调开])|饶了
    用不着|使不得|就让它|绕(?:开|着走|过)|跳过|不碰了?|不管了|不在.{0,8}(?:范围|计划|考虑)|动不得
    碰不得|当.{0,8}(?:只读|不存在|黑盒|没看见)|一(?:个|字).{0,6}(?:都|也)(?:不|别)|留着别
    谁(?:都|也)(?:别|不)|不(?:接受|欢迎|认|赞成|同意|建议|鼓励|推荐|打算|考虑|宜)
    不是(?:我们|咱们?)(?:组|家|的|能|该|管)
    """,
)

BAN_INDIRECT = Cues(
    en=r"""
    not a fan|not keen|not fond|(?:hate|dislike|detest)s?|allergic to|think twice|sacred|frown\w*
    last thing (?:i|we)|set in stone|(?:not|isn'?t|aren'?t) (?:ours|mine|yours)|no[- ]?go|no way
    unacceptable|deal ?breaker|out of the question|hard no|non-?starter|(?:sick|tired) of|won'?t fly
    spare (?:me|us)|can we not|resist the|get(?:s)? (?:grumpy|angry|upset|nervous|yelled)|in stone
    (?:makes?|make it) (?:people|users|them|us|ops|everyone) (?:angry|grumpy|nervous|unhappy)|no-fly
    belongs to|closed for|(?:overwritten|regenerated|clobbered|filled) by|wasted|in vain|for nothing
    pointless|bounces?|(?:if|when|that) nothing|owned by|minefield|haunted|skip(?! to)|forget about
    keep (?:your )?hands|not .{1,20} business|stays? out of|leave well|resist|doesn't want
    (?:think|imagine) of .{1,40} as (?:frozen|read-only|closed|done|given)|don't want
    (?:i|we)(?:'d| would)? (?:rather|prefer) .{1,40} (?:didn't|not|untouched|alone)
    (?:the )?(?:less|fewer) .{1,60} the (?:better|happier)|(?:do|live|get by|go) without
    (?:less|fewer) .{1,40} the better|nobody (?:here )?(?:touches|wants|likes)
    """,
    zh=r"""
    轮不到|惹不起|祖宗|谁(?:动|改|碰)|挨骂|被骂|受不了|见不得|看不惯|得罪|供着|轻易|雷区|红线|禁区
    没人敢|伤不起|骂|背锅|白改|越少越好|刻在|少惹|别家|外包写的|得不偿失|没意义|没用|白搭|头疼|头大
    会.{0,6}(?:投诉|炸|急|找上门|不高兴)|别人(?:家|组|的地盘)|吃过亏|踩过坑|心有余悸|敏感|底线|忌
    归.{1,8}管|改不得
    """,
)
"""Says without a negation that something is unwelcome; counts only where nothing plainer does."""

BAN_WEAK = Cues(
    en=r"""
    without|nor|neither|nowhere|not (?!just|all|only|yet sure)[a-z`"'(/-]+|instead of|rather than
    (?:is|are|do|does|was|were)n'?t|(?:except|apart) (?:for|from)
    """,
    zh=r"""
    不(?:缓存|写|存|做|改|动|碰|加|删|走|带|留|传)|以外|之外
    不(?:打|放|依赖|引入|提交|上传|处理|管|接|发|开|合并|覆盖|重试)
    不(?:展示|显示|进|入|落|记|查|建|拆|引|返回|抛|混|转)
    不(?:超|归|算|跑|升|降|清|补|推|拉|读|收|生成|校验|参与)
    """,
)
"""Negations that leave a clear duty in the same clause its sign."""

DUTY = Cues(
    en=r"""
    must|have to|has to|needs? to|should|shall|ought to|supposed to|always|mandatory|required?
    requires|obligatory|compulsory|strictly|make sure|ensure|be sure|remember to|keep in mind
    bear in mind|(?:do not|don'?t) forget|insist\w*|without exception|no exceptions|in all cases
    """,
    zh=r"必须|务必|一定(?:要|得)?|一律|统一|应(?:当|该)|须(?!知)|记得|注意|记住|千万(?!别|不)",
)

DUTY_WEAK = Cues(
    en=r"""
    or (?:below|less|fewer|lower|above|more|higher)|exactly|solely|at least|at most|at minimum|up to
    only(?! (?:need|want|have|got|thing|question|problem|one)\b)|within|not more than|keeps?|kept
    no (?:more|less|fewer|later|earlier|longer|bigger|larger) than|retain\w*|preserve\w*|stays?|tops
    remains?|stick (?:to|with)|treat|pretend|consider it|limit(?:ed|s)?|cap(?:ped)?|max(?:imum)?|use
    min(?:imum)?|ceiling|floor|threshold|prefer\w*|uses|instead|live (?:in|under)|by hand|follow
    go(?:es)? (?:to|in|into|through|via|under|with|on)|any (?:\w+ )?(?:calls?|commands?|runs?)|obey
    (?:every|each|all|everything|any|whole|both)\b[^,;]{0,50}\b(?:is|are|be|gets?|goes?|has|have|in)
    (?:every|each|all|everything|any|whole)\b[^,;]{0,50}\b(?:begins?|starts?|ends?|comes?)|respect
    (?:every|each|all|any)\b[^,;]{0,30}\b(?:you|we) (?:add|write|make|create|touch|change|move)
    (?:before|after|(?<!at )once|unless|until|prior to|whenever|as soon as)\b[^,;]{2,60}|conform
    (?:is|are|as) an? error|house rules?|happens? (?:with|via|through|in|on|by)|comply|mirrors?
    wants? (?!a\b|an\b|that\b|this\b|it\b|you\b|to\b|the\b)|restrict\w*|freeze|frozen|pin(?:ned)?
    fixed (?:at|to|size|height|width)|hard[- ]cod\w+|except(?:ion)?|exempt|excluded?|allowed|unlike
    permitted|tolerated|fine (?:in|for|there)|live with|other than|apart from|ideally|preferably
    is ok(?:ay)? (?:in|for|there)|may (?:stay|keep|use|remain)|(?:we|i) (?:like|love|expect)|gospel
    i'd (?:like|love|prefer|appreciate|be happier|feel better|sleep better)|'d better|contract
    (?:would|'d) be (?:nice|good|great|happy|happier|lovely|better)|promised|agreed|signed off
    (?:better|best) (?:to|if|be|kept|left)|is the (?:law|rule|way|convention|standard|norm)|as given
    (?:depend|rel|count)(?:s|y|ies)? on|conventions?|polic(?:y|ies)|expects?|customary|tell me
    let me know|show me|ask me|check with me|wait for|approval|one (?:at a time|by one)|step by step
    (?:runs?|done|handled|built|installed) (?:with|via|through|under|by|only)|in (?:that|this) order
    then (?:fix|run|commit|merge|tag|push|write|ask|show|stop)|set to|defaults? to|round(?:s|ed)?
    sort(?:ed)? by|verbatim|in (?:utc|metres|meters|lowercase)
    """,
    zh=r"""
    只(?!不过|是|读|好|剩)|凡是?|拿(?=\s?[a-z])|需(?:要|用)?(?!求)|保留|保持|固定|至少|最少|起码
    (?<![不只主重还需想简就快将首次概我])要(?![么命紧不素点求闻害加改做写统看实新])|上限|下限|以内
    (?<![不觉使获取值记懂显变舍])得(?=[用要有在能跟和走先按过再把给是保加写改认])|之内|以下|以上
    小于|大于|不超过|不低于|等于|封顶|最多|至多|都(?=.{0,3}[用走要得按是放写加有])|全部|全都|所有
    每(?:\d|次|天|个|条|分|秒|小时|周|月|隔|一|批|行|步|层)|采用|沿用|照(?:旧|办|着)|默认|为准|优先
    (?<![使不没有费应专通常调引占复作可适信利])用(?![户例途了过到来于力法处意工品时得不])|之前|之后
    (?<![就再逃跳出收带拿取])走(?![不通了])|放(?:到|在|进|过)?(?=[^弃心宽松假])|遵(?:守|循|照)|级别
    最好|按(?!钮|键|下|理)|(?:改|做|写|存|转|换|输出|打|拼|导出)(?:成|为)|先.{1,24}(?:再|才)|尽量
    以.{1,16}为|才(?:能|可|许|算|删)|格式(?:是|为)?|从.{1,30}[取读拿走开]|就(?:报|抛|用|走|按)|希望
    (?:的时候|时)(?=[加带用要先写走报给])|宁(?:可|愿)|拜托|约定|说好|定死|雷打不动|为[好妙宜主]|认准
    只认|老规矩|惯例|统统|清一色|从来(?:都)?是|向来|历来|当(?:它|成|作|做)|跟我说|告诉我|等我|问我
    给我看|说一声|打招呼|知会|通知我|汇报|报备|过目|一个个|逐个|一次一个|流程|步骤|顺序|复现|例外
    除外|除了|除非|允许|放过|豁免|随意|带(?=\s?[a-z])|超过.{1,20}(?:就|报|算)|标(?:记)?(?:成|为)
    写死|做成|保证|确保|算(?:错误|异常|失败|成功)|统计口径|精确到|四舍五入|补零|大写|小写|对齐
    """,
    raw=r"[<>≤≥]=?|→|->|^\W*(?:and |oh,? )*(?:when(?:ever)?|every time) (?:you|we|an?|the)\b",
)

SPEC = Cues(
    en=r"""
    (?:is|are|equals?|means?|becomes?)\b[^,;]{0,40}\d|(?:exit|status|error) (?:code|status) \d
    (?:is|are)\b[^,;]{0,20}\b(?:two|three|four|five|six|eight|ten)|(?<!we )(?<!i )need [a-z]+s\W*$
    (?:two|three|four|\d) (?:spaces|tabs|digits|decimals|places|columns|lines|characters|letters)
    get \w+ed (?:with|in|as|to|by|into|under|on)
    in (?:english|chinese|german|french|utc|ascii|utf-?8)
    \w+-(?:insensitive|sensitive|based|safe|free|compatible|aware)
    \d+(?:\.\d+)? ?(?:px|ms|s|sec|seconds?|minutes?|hours?)
    \d+(?:\.\d+)? ?(?:days?|kb|chars?|rows?|times|items?|levels?)
    """,
    zh=r"""
    \d\s*(?:毫秒|秒|分钟|小时|天|条|次|个|步|行|位|档|层|像素|字节|级|遍|份|倍|号|帧|页)
    [一二三四五六七八九十两]\s*(?:位|档|次|行|层|级)
    """,
    raw=r"= ?\d|\d ?%",
)
"""A bare statement of a quantity: a requirement where it comes from the user."""

REVOKE = Cues(
    en=r"""
    (?:scrap|forget|drop|ignore|cancel|revoke)(?:ed|ped)?|(?:second|new) thoughts?|on reflection
    (?:withdraw|lift|undo|disregard|scratch|strike)(?:ed|ped)?|after all|no longer (?:\w+)|obsolete
    (?:changed|change) (?:my|of) (?:mind|plans?)|takes? (?:that|it|this) back|never ?mind|sorry|swap
    not any ?more|supersed\w+|(?:may|can) (?:be )?\w+ now|(?:is|are) (?:ok|okay|fine|allowed) now
    relax(?:ed)?|overrul\w+|correction|actually|i was wrong|my mistake|as of now|from now on|instead
    turns out|make (?:it|that|them)|hold on|rethink|better idea|new plan|back to|revert|the opposite
    (?:raise|lower|bump|change|switch|move) (?:it|that|this|the|them|to)
    now (?:\w+ )?(?:allowed|fine|ok)
    """,
    zh=r"""
    收回|作废|取消|撤[销回](?=[了前之刚那上这]|$)|推翻|不算数|不作数|当我没说|算了|改主意|改口|放开
    废[掉除]|解除|不对[，,]|[说搞看记弄]错|不[用要走]了|换[成了到]|可以.{0,8}[改动碰用删]了|现在可以
    更正|(?:前面|之前|上面|刚才|刚刚|早上)(?:的|说|讲|定|那)|改成|换成|改为|改回|还是(?:用|按|走)
    重新定|调(?:到|成|整)|放宽|收紧|变了|变更|有变|不再|反过来|原来(?:说|定|的)|重来|不用再|可以不
    """,
)
REVOKE_BARE = Cues(
    en=r"""
    (?:scrap|forget|drop|cancel|scratch|strike|undo) (?:that|it|this)|changed my mind|after all
    takes? (?:that|it) back|change of plans?|never ?mind that|second thoughts?|on reflection
    forget (?:what|about what|my)|i was wrong|my mistake
    """,
    zh=r"(?:前面|之前|上面|刚才|刚刚)(?:的|说|那|讲|定)|作废|收回|当我没说|改主意|不对[，,]|说错",
)
"""Takes back the last rule where the sentence names none."""

GO_AHEAD = Cues(
    en=r"""
    go ahead|(?:you|we) (?:can|may) (?:start|change|edit|begin|now)|proceed|start now|green light
    """,
    zh=r"可以动手|动手吧|可以开始|开始(?:改|吧|做)|开工|可以改了|改吧|做吧|动吧",
)
HOLD = Cues(
    en=r"""
    for now|for the moment|until i say|hold off|don'?t (?:change|touch|edit|start)[^,]{0,30}yet
    """,
    zh=r"先(?:不|别)|暂时(?:不|别)|等我(?:说|确认|看)|先等",
)
REFUSAL = Cues(
    raw=r"""
    ^\W*(?:no|nope|nah|naw|don'?t|please don'?t|rather not|leave it|too much|skip|tempting|not)\b
    ^\W*that'?s (?:far |way |a bit )?(?:too|overkill|not)|\bfar too (?:much|big|long)\b
    \bi'?d rather not\b
    """,
    zh=r"""
    ^\W*(?:不[^错过]|别|算了|先别|没必要|打住|免了|否)|不行|走不通|不考虑|用不着
    太(?:重|大|麻烦|复杂)了
    """,
)
"""The answer to a proposal that turns it down."""
TELLS = Cues(
    en=r"""
    as is|the same|identical|still|wouldn'?t hurt|is something i|i'll do|stays?|leave|plain
    """,
    start=r"""
    return|use|put|give|keep|raise|treat|write|call|make|add|show|log|name|set|store|pass|sort|count
    print|run|mark|include|skip|ship|check|send|read|render|round|validate|reject|accept
    """,
)
"""A sentence in the imperative, or one that wants things to stay as they are."""
LIMIT = Cues(
    en=r"""
    only|except|exempt|unless|use|prefer|keep|stay|remain|leave|same|compatible|within|up to
    at (?:most|least)|no (?:more|less) than
    """,
    zh=r"只|例外|除|最多|至少|以内|不超过|保持|保留|不变|之前|每(?:做|次|一?步)",
)
"""Words with which even a request lays down a rule."""
