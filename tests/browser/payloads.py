"""
A hundred texts that do something if a page takes them for more than text.

Each either runs a function that the harness counts, or makes an element with an attribute that it looks
for. All fit into 64 characters, so that they can stand in almost every field that people write.
"""

from __future__ import annotations

from tests.browser.watch import MARK, RUN

_M = MARK
_HANDLERS = (
    "<img src=x onerror={}>",
    "<svg onload={}>",
    "<body onload={}>",
    "<details open ontoggle={}>",
    "<input autofocus onfocus={}>",
    "<video><source onerror={}></video>",
    "<audio src=x onerror={}>",
    "<marquee onstart={}>",
    "<p style=animation:x onanimationstart={}>",
    "<select autofocus onfocus={}>",
    "<textarea autofocus onfocus={}>",
    "<iframe onload={}></iframe>",
    "<object data=x onerror={}></object>",
    "<embed src=x onload={}>",
    "<link rel=stylesheet href=x onerror={}>",
    "<style onload={}></style>",
    "<svg><animate onbegin={} attributeName=x dur=1s>",
    "<math><mi onclick={}>x</mi></math>",
    "<a href=# autofocus onfocus={}>x</a>",
    "<p tabindex=0 autofocus onfocus={}>",
)
_SCRIPTS = (
    "<script>{}</script>",
    "<SCRIPT>{}</SCRIPT>",
    "<script/x>{}</script>",
    "<script >{}</script >",
    "<script type=module>{}</script>",
    "<script src=data:,{}></script>",
    "<svg><script>{}</script></svg>",
    "<iframe srcdoc='<script>{}</script>'></iframe>",
    "<iframe src='javascript:{}'></iframe>",
    "<object data='data:text/html,<script>{}</script>'>",
    "<scr<script>ipt>{}</scr</script>ipt>",
    "<<script>{}//<</script>",
    "</script><script>{}</script>",
    "</title><script>{}</script>",
    "</textarea><script>{}</script>",
    "</style><script>{}</script>",
    "</select><script>{}</script>",
    "</td></tr></table><script>{}</script>",
    "</template><script>{}</script>",
    "</noscript><script>{}</script>",
    "--><script>{}</script><!--",
    "]]><script>{}</script>",
    "<!--><script>{}</script>",
)
_QUOTES = (
    '"><script>{}</script>',
    "'><script>{}</script>",
    '" autofocus onfocus={} x="',
    "' autofocus onfocus={} x='",
    '" onmouseover={} style=position:fixed;inset:0 "',
    "x autofocus onfocus={}",
    "`autofocus onfocus={}",
    '"><img src=x onerror={}>',
    "'><svg onload={}>",
    '"/><svg/onload={}>',
    '\\"><svg onload={}>',
    "';{}//",
    '";{}//',
    "*/{}/*",
    "${{{}}}",
    "\\u003cscript>{}</script>",
    "<img/src=x/onerror={}>",
)
_ADDRESSES = (
    "javascript:{}",
    "JaVaScRiPt:{}",
    "java\u00adscript:{}",
    "javascript&colon;{}",
    "java&#115;cript:{}",
    "javascript://x.example/%0a{}",
    "data:text/html,<script>{}</script>",
    "vbscript:{}",
    "//x.example/<script>{}</script>",
    "<a href='javascript:{}'>open</a>",
    "<form action='javascript:{}'><button>x</button></form>",
    "<base href='javascript:{}//'>",
)
_ENTITIES = (
    "&lt;script&gt;{}&lt;/script&gt;",
    "&#60;img src=x onerror={}&#62;",
    "&#x3c;svg onload={}&#x3e;",
    "%3Cscript%3E{}%3C/script%3E",
    "+ADw-script+AD4-{}+ADw-/script+AD4-",
    "\uff1cscript\uff1e{}\uff1c/script\uff1e",
    "<p>{}<img src=x onerror=&#95;&#95;ran&lpar;0&rpar;>",
)
# Nothing runs, but an element would be there, or htmx would do what its attributes say.
_ELEMENTS = (
    f"<b {_M}>bold</b>",
    f"<h1 {_M}>Paid</h1>",
    f"<form {_M} action=/console/logout method=post>",
    f"<input {_M} name=csrf value=x>",
    f"<meta {_M} http-equiv=refresh content=0;url=/docs>",
    f"<base {_M} href=https://x.example/>",
    f"<p {_M} hx-get=/docs hx-trigger=load hx-target=body>",
    f"<p {_M} data-hx-get=/docs data-hx-trigger=load>",
    f"<p {_M} hx-on:load={RUN}(1)>",
    f"<p {_M} sse-connect=/x hx-ext=sse>",
    f"<table {_M} data-plot=lines></table>",
    f"<link {_M} rel=stylesheet href=/x.css>",
    f"<a {_M} id=visit name=visit>clobber</a>",
    f'"><i {_M}>',
    f"'><i {_M}>",
    f"</table><p {_M}>",
)
# What a template engine, or a terminal, would fill in.
_TEMPLATES = ("{{{{ {} }}}}", "{{% print({}) %}}", "<%= {} %>", "#{{{}}}", "[[${{{}}}]]")


def _all() -> tuple[str, ...]:
    forms = (*_HANDLERS, *_SCRIPTS, *_QUOTES, *_ADDRESSES, *_ENTITIES, *_TEMPLATES)
    running = [form.format(f"{RUN}({number})") for number, form in enumerate(forms)]
    return (*running, *_ELEMENTS)


PAYLOADS = _all()
