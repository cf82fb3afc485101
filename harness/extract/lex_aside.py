"""What only sounds like a rule: questions, hypotheses, reports, news. General words only."""

from __future__ import annotations

from harness.extract.cues import Cues

QUESTION = Cues(
    raw=r"""
    [?？]\s*[)）"”」'…]*\s*$|[吗么]\s*[。?？!！…]*\s*$
    ^\W*(?:(?:hm+|so|and|but|or|also|ok|btw|well),? )*(?:should|shall|do) (?:we|i|they)\b
    ^\W*(?:\w+,? )?(?:does|did|is|are) (?:we|i|it|there|they|the|that|this)\b
    ^\W*(?:\w+,? )?(?:would|could|isn't|shouldn't|must) (?:we|i|it|there|they|the|that|this)\b
    """,
)
POLITE = Cues(
    en=r"""
    would you mind|mind (?:not|keeping|leaving|if)|any chance
    (?:can|could) we (?:please |all |just )?(?:not|keep|leave|agree|avoid|stick|stay)
    """,
    raw=r"""
    [,;] ?(?:ok(?:ay)?|right|alright|please|agreed|deal|will you|would you) ?\?+\W*$
    ^\W*(?:(?:and|also|so|ok),? )*(?:could|can|would|will) you\b
    """,
    zh=r"""
    麻烦|能不能(?:请|把|帮|别|不)|可以(?:请|帮)|能否|请(?!问)|(?:行|好)(?:吗|么|不)\s*[?？]?$
    (?:别|不要|不许|把).{1,40}(?:好吗|行吗|可以吗)
    (?:能|可以|可否).{0,8}(?:别|不要|不).{1,30}[吗么?？]
    """,
)
PASSING = Cues(
    en=r"""
    (?:go|going|carry|carrying|move|moving|keep|keeping) on|go ahead|continue|continuing|proceed
    keep (?:going|at it)|on you go|start|begin|resume|(?:you|we) (?:can|may|should)|by all means
    as (?:we |you |i |was |has been |before |already )?(?:agreed|discussed|planned|said|told)
    as (?:before|usual|it (?:is|was)|described|decided)|as you (?:like|wish|please|see fit)
    (?:with|on|at|from|to) (?:it|that|this|them|the (?:work|rest|plan|task|job|others?)|there|here)
    with (?:what|everything) (?:we|you|i)(?:'ve| have)? (?:agreed(?: on)?|discussed|planned|said)
    (?:with|to) the next (?:one|step|task|item|part)|where (?:you|we) (?:left off|stopped)
    (?:it|that)(?:'s| is) (?:all )?(?:up to you|fine|ok|okay|good|right)
    (?:do )?(?:what|whichever)(?:ever)? you (?:think|like|prefer|want)(?: is)?(?: best)?
    use your (?:own |best )?judge?ment|(?:your|it's your|it is your) (?:call|choice|decision)
    no (?:objections?|comments?|changes|remarks|questions)|nothing (?:to add|else|more|new)
    (?:sounds|looks|seems) (?:good|fine|right|great|ok|okay)|thanks|thank you|please|pls|plz|kindly
    yes|yep|yeah|ok|okay|sure|fine|good|great|right|perfect|alright|well|now|then|and|so|just
    feel free to|i trust you(?:r judge?ment)?|from me
    """,
    zh=r"""
    继续|接着|往下|下去|推进|进行|开始|[按照](?:着|照)?|(?:之前|先前|刚才|原来|原|既定|上面|前面)
    (?:说|约|商|讲|定|谈)(?:好|定|过|妥)?的?|约定的?|商量(?:好|过)?的?|计划的?|方案的?|老样子
    你(?:们)?|自己|看着|决定|请|麻烦|好的?|嗯+|行|可以|没问题|没意见|同意|谢谢|辛苦了?|还是|就|吧|了
    来|做|办|干|走|的|那|都|也|再|先|这样|这么|没有(?:异议|意见|补充)
    """,
)
"""Words to go on, as agreed, or as one likes: a sentence of them alone establishes nothing."""
HYPOTHETICAL = Cues(
    en=r"""
    if (?:we|i|you|they|it) (?:\w+ )?(?:ever|were|was|had|went|wanted|moved)|what if|in theory
    if (?:this|that|these|someone|anyone) (?:\w+ )?(?:ever|were|was|had|went|wanted|moved)|imagine
    (?:were|should) (?:we|it|this|that) (?:ever |to )|theoretically|hypothetical\w*|suppos(?:e|ing)
    (?:we|it|that|you|they|one|this|i|which)(?: would|'d) (?:have to|need|probably|also need|then)
    would (?:have to|need to|then|probably)|say we|could argue|one could|if it were up to|if only
    in (?:an ideal|a perfect) world|if\b.*\b(?:could|might)|thinking out loud|keep thinking
    (?:would|could|might)(?! be (?:nice|great|good|lovely|happ|better|grateful))\b.*\bif
    (?:i|we) (?:once )?(?:thought about|considered|was going to|were going to|toyed with|could have)
    """,
    zh=r"""
    (?:如果|要是|假如|假设|万一|倘若|若是|若)[^。]{0,30}?(?:以后|将来|哪天|未来|有一天)|理论上|设想
    (?:如果|要是|假如|假设|万一|倘若|若是|若)[^。]{0,30}?(?:真要|其实|理论上|或许|也许|再说)|琢磨
    (?:以后|将来|未来|哪天)(?:如果|要是|真|也许|说不定|再(?:说|考虑|议))|假设(?!是)|寻思|有没有可能
    倒是可以|万一哪|(?:本来|原本)(?:想|打算|要)|考虑过|想过
    """,
)
"""What is said of another world; takes the whole sentence."""
MUSING = Cues(
    en=r"""
    might|maybe|perhaps|some ?day|one day|eventually|down the road|long term|in the future
    i (?:wonder|was wondering)|wondering (?:if|whether)|not sure (?:if|whether)|just asking
    not my (?:plan|idea|call|thing|view|taste)
    """,
    zh=r"""
    (?:以后|将来|未来|哪天)(?:可能|也许|想|要)|也许|或许|说不定|以后再|要不要|该不该|用不用|需不需要
    是不是(?:应该|要|得|该)|可不可以|会不会|怎么办|为什么|有没有必要|怎么样|是否(?:需要|应该|要)
    不太确定|好不好|行不行|不是我的?(?:意思|想法|主意)
    """,
)
"""A doubt or a question within a clause, which makes no rule; opening a sentence, all of it."""
CONDITION = Cues(
    en=r"if|were we|in case",
    zh=r"如果|要是|假如|万一|的话|倘若",
)
CANCELS = Cues(
    raw=r"""
    ^\W*(?:but |though )?(?:not (?:now|yet|today|for now|this time))\b|\bi disagree\b
    ^\W*(?:but |though )?(?:just (?:asking|curious|thinking))\b|\bnot true (?:for|here)\b
    \b(?:ignore (?:it|that|this|them|him|her))\b|\b(?:no longer|never) applies\b
    \b(?:(?:doesn't|does not|don't) apply|we (?:don't|do not) (?:do|follow|care))\b
    \bthat(?:'s| is) (?:his|her|their|not (?:us|our|for))\b|\b(?:a joke|joking)\b
    ^\W*(?:just a thought|some other time|ignore that|(?:just )?kidding|but (?:no|not)\b|then again)
    """,
    zh=r"""
    ^\W*(?:算了|以后再[说议]|现在不用|开玩笑|只是问问|随[便口]问|先不管|不过(?:现在|目前|眼下|暂时))
    别[理管][它他]|不用[理管听][它他]?|不适用|我们不这[么样]|那是[他她]
    """,
)
"""Opens a sentence that withdraws the one before."""
NOT_THE_CASE = Cues(
    raw=r"""
    ^\W*(?:but |though |right |for )?(?:now|currently|at the moment|today|luckily|fortunately)\b
    ^\W*(?:but )?(?:that'?s not|we(?:'re| are) not)\b
    ^\W*(?:but )?(?:it(?:'s| is) not|we (?:don'?t|aren'?t)|no plans)\b
    """,
    zh=r"^\W*(?:不过|但|可惜|好在|还好)?(?:现在|目前|眼下|当前|暂时|暂且|不是|没有|又不是)",
)
"""Opens a sentence that says the condition before it does not hold."""
_OTHERS = r"(?<!\bi )(?<!\bwe )(?<!\byou )(?<!i'd )"
_TOLD = (
    "(?:[说讲劝道]|写[着的道了过]|建议|认为|提到|觉得|主张|推荐|规定|坚持|吐槽|宣称|要求|提议|声称)"
)
REPORTED = Cues(
    en=rf"""
    {_OTHERS}(?<!\()(?:says?|said|claim(?:s|ed)?|wrote|writes|suggest(?:s|ed)?|recommend(?:s|ed)?)
    {_OTHERS}(?:insist(?:s|ed)|thinks|(?<!second )thought|argue[sd]?|told|tells|stated|swears?)
    {_OTHERS}(?:preach(?:es|ed)?|warn(?:s|ed)|complain(?:s|ed)|mention(?:s|ed)|reckons?|commented)
    {_OTHERS}(?:keeps? (?:saying|telling)|advise[sd]|demand(?:s|ed))|according to|used to say
    (?:i|i've) (?:read|heard|saw) (?:that|somewhere|a|one|it)|old (?:habit|rule)|quot(?:e|ing)
    (?:comment|note|sign|banner|header|docstring)s? (?:that|saying|about)|supposedly|allegedly
    (?:poster|readme|wiki|ticket|thread|post|slide)s? (?:that|saying|about)|back then|so-called
    """,
    zh=rf"""
    (?:有人|[他她]们?|同事|博客|文章|文档|网上|教程|书[里上]|帖子?|评论).{{0,12}}{_TOLD}|据说|听说
    (?:老师|师傅|前任|别人|论坛|群里|公众号|大佬|手册|注释|[里上]面|里头).{{0,12}}{_TOLD}|号称|所谓
    (?:老板|领导|客户|产品|主管|组长|readme).{{0,8}}{_TOLD}|传说|以前(?:都|是|会|规定)|原话|那句
    (?:注释|横幅|贴纸|便签|告示|标语|墙上|模板|工单).{{0,10}}(?:有句|有行|有一[句行条]|贴着|挂着)
    这句
    """,
)
DISMISSED = Cues(
    en=r"""
    (?:doesn'?t|does not|don'?t|didn'?t|isn'?t|not) (?:apply|hold|matter|concern)|disagree|nonsense
    (?:doesn'?t|does not|don'?t|didn'?t|isn'?t|not) (?:agree|true|relevant|us)|outdated|wrong
    ignore (?:it|that|this|them|him|her)|not (?:for|with) us
    """,
    zh=r"""
    不用[理管听信]|随口|不适用|跟我们(?:不|没)|别当真|别受影响|别(?:理|管|听|信)|没道理|过时|早不
    不(?:认同|同意|赞同)|不是我们
    """,
)
ENDORSED = Cues(
    en=r"""
    i agree|(?:he|she|they)(?:'s|'re| is| are| was| were) right|rightly|same (?:for us|here)|legal
    we follow|(?<!old )(?<!former )(?<!ex-)boss|compliance|security|ops|client|customers?|manager|pm
    cto|management|lead|auditors?|regulator
    (?:the|our) (?:spec|contract|team|law|licen[cs]e|standard)
    """,
    zh=r"""
    说得(?:对|在理)|有道理|[照按][他她]|听[他她]的|我也(?:同意|这么)|老板|领导|法务|合规|安全|运维
    客户|甲方|产品|组长|主管|监管|审计|我们组|团队|财务|测试组
    """,
)
"""Words that the user takes over, or whose word counts as a rule."""
NARRATIVE = Cues(
    en=r"""
    (?:they|it|he|she) (?:then|now|still|also) \w+|i'll be|i'm (?:in|out|off|away|going)|bit us
    broke|crashed|drifted|caused|happened|were (?!we)\w+ed|ended up|last (?:time|week|year)
    """,
    zh=r"上次|上回|曾经|踩过|去年|上周|昨天|刚才|上个?月|早上|下午",
)
NEWS = Cues(
    en=r"""
    i (?:don't|do not) (?:share|agree|buy|believe|care)|we(?:'re| are|'ve| were| had)|perfect|lovely
    i(?:'m| am|'ve| have| was| had| did| got| tried| saw| think| guess)|thanks?|far too|great|nice
    (?:looks|works|plays|reads|feels|sounds|seems) |good (?:morning|afternoon|evening)|awesome|gets
    (?:is|are) (?:new|slow|broken|wrong|missing|gone|in [\w/]+\.\w+|here|there)|well done|love it
    good (?:job|work|catch|point|idea)|took me|found (?:it|out)|gives|shows|misses|crashes|fails
    forgets|drops|breaks|complains|returns|agreed
    """,
    zh=r"""
    [我俺](?:试|看|跟|刚|们?(?:刚|发现|这边))|挂了|没了|偶尔|有时|经常|报错|慢|乱|坏|错|辛苦|不错|挺
    漂亮|爆|重复|跳|卡|可以(?:了|的|，|。)?$|涉及|代码|页面在|在.{1,30}里$|失败|崩|丢|漏|溢出|多了
    是.{1,6}[写做改]的|泄漏|超时|不对|不了|回来
    """,
)
"""What happens or has happened: the trouble, the state of things, praise."""
BECAUSE = Cues(
    raw=r"""
    ^\W*(?:because|since|(?:for )?otherwise|or else|as (?:the|it|we|they)\b|so that)
    ^\W*last (?:time|year|week)\b
    """,
    zh=r"""
    ^\W*(?:不然|否则|因为|免得|省得|以免|毕竟|上次)
    ^\W*(?:上回|害[我得人]|要不然|怕|防止|这样|省|反正|不?会(?=[被有出把]))
    """,
)
"""Opens a clause that gives the reason of a rule, no rule itself."""
ANNOUNCES = Cues(
    en=r"""
    (?:some|few|couple of|several|two|three) (?:\w+ )?(?:things?|points?|notes?|rules)\b[^,;.]{0,40}
    (?:some|few|couple of|several|two|three) (?:\w+ )?(?:remarks|words|reminders)\b[^,;.]{0,40}
    """,
    raw=r"""
    \bin (?:this|the following) order\W*$
    \b(?:as follows|the following|here (?:is|are) (?:the|a|my|what).{0,40}|listed below)\W*$
    """,
    zh=r"""
    几(?:件事|点|条|句话).{0,12}$|(?:如下|下面|以下).{0,12}[：:。]?\s*$|列(?:出来|在下面|了出来)
    (?:先|再)?(?:说|讲|交代)(?:清楚|明白|在前(?:头|面)?)。?$|说明一下
    """,
)
"""Says that a list or some rules follow."""
EXPLAINS = Cues(
    raw=r"""
    ^\W*(?:they|it|that|this|which|he|she|we) (?!must|may|should|need)\w+
    ^\W*(?:the|our|my) [^,;]{1,40}\b(?:is|are|has|have|had|was|were|does|will|would|can|can't|got)\b
    ^\W*(?:thanks|thank you|please|ok|okay|cheers|that's all)\W*$
    """,
    zh=r"^\W*(?:[他她它]们?|这|那)|早就|已经|一眼|省事|谢谢|辛苦",
)
"""Tells after a rule why it is so, or how things stand."""
CHAT = Cues(
    en=r"""
    by the way|btw|sorry|thanks?|oh|hey|just so you know|while (?:i think|we're at it)|good start
    """,
    zh=r"辛苦|顺[嘴便]一提|对了|谢谢|不好意思|话说|顺带一提|唠叨|啰嗦",
)
"""Opens or closes a sentence without saying anything."""
