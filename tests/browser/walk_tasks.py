"""What people come to each page for, done by pointer and by the keyboard alone."""

from __future__ import annotations

import re
from contextlib import suppress

from tests.browser.conftest import Browsing
from tests.browser.console import Console
from tests.browser.served import Api, RefusedError
from tests.browser.teahouse.opening import TeaHouse
from tests.browser.teahouse.settings import ACCOUNT, PIN_TEMPLATES

_FILE = """(text) => {
  const moved = new DataTransfer();
  moved.items.add(new File([text], "pin.tlog-proof"));
  return moved;
}"""


def test_overview(owner: Console) -> None:
    """Today and thirty days, drawn over the tables that hold the figures."""
    owner.go_to("Overview")
    owner.follow("30 days")
    owner.page.locator(".uplot canvas").first.wait_for()

    assert owner.page.locator("table[data-plot]").count() > 0


def test_verifications(owner: Console, house: TeaHouse) -> None:
    """Search a PIN by its reference, follow its story, and look at it as it was at each step."""
    pins = house.service.admin.get("/admin/v1/verifications", account=ACCOUNT, pageSize=100)["data"]
    pin = next(each for each in pins if each["status"] == "VERIFIED")
    owner.go_to("Verifications")
    owner.write("Reference", pin["referenceId"])
    owner.press("Search")
    owner.page.get_by_role("link", name="Clear").wait_for()
    owner.hand.press(owner.content.locator(f"tbody a[href*={pin['pinId']}]"))
    owner.page.wait_for_url(f"**{pin['pinId']}**")
    story = owner.page.locator("#entries > ol > li")
    steps = story.count()

    owner.hand.press(owner.page.get_by_role("link", name="State after step 1"))
    owner.says(f"Step 1 of {steps}")
    owner.hand.press(owner.page.get_by_role("link", name="Later"))
    owner.says(f"Step 2 of {steps}")
    owner.hand.slide(owner.page.get_by_label("Step", exact=True), steps)
    owner.says(f"Step {steps} of {steps}")


def test_a_search_for_a_number_has_no_address(owner: Console, house: TeaHouse) -> None:
    """A number finds its PINs, and stands in no address that a log or a history would keep."""
    pins = house.service.admin.get("/admin/v1/verifications", account=ACCOUNT, pageSize=1)["data"]
    owner.go_to("Verifications")
    owner.write("Destination", pins[0]["destination"])
    owner.press("Search")
    owner.page.get_by_role("link", name="Clear").wait_for()

    owner.says(pins[0]["destination"])
    assert pins[0]["destination"][1:] not in owner.page.url


def test_messages(owner: Console, house: TeaHouse) -> None:
    """Search a message by its reference, and see what the phone showed."""
    owner.go_to("Messages")
    owner.choose("Channel", "SMS")
    owner.press("Search")
    owner.page.wait_for_url("**channelType=**")
    owner.hand.press(owner.content.locator("tbody a[href*='/messages/msg_']").first)
    owner.page.wait_for_url("**/messages/msg_**")

    owner.says("What the phone showed")
    owner.says("Your order")
    assert owner.page.locator("#entries > ol > li").count() > 1


def test_a_pin_template(owner: Console, hand: str) -> None:
    """Create one in two languages, previewed while it is written; disable and enable it."""
    owner.go_to("Templates")
    owner.follow("New PIN template")
    owner.write("Name", f"Gift by {hand}")
    owner.write("Text", "{{pin}} opens your gift.")
    owner.page.locator("#draft").get_by_text("opens your gift.").first.wait_for()
    owner.choose("Language of the entry", "German (de)")
    owner.press("Add an entry")
    owner.page.locator("#draft").get_by_text("Ihr Best\u00e4tigungscode").first.wait_for()
    owner.press("Create")
    owner.says("Created.")
    owner.says("SMS (de)")
    owner.press("Disable")
    owner.says("Disabled.")
    owner.press("Enable")
    owner.says("Enabled.")


def test_a_template_is_approved_and_rejected(owner: Console) -> None:
    """A reviewer looks at the card as a phone shows it, and decides."""
    owner.go_to("Templates")
    owner.follow("RCS")
    owner.follow("spring")
    owner.says("Spring oolong")
    for act, said in (("Approve", "Approved."), ("Reject", "Rejected.")):
        owner.write("Reason", "It shows tea.")
        owner.press(act)
        owner.says(said)
    owner.press("Submit for approval")
    owner.says("Submitted.")


def test_a_channel_account(owner: Console) -> None:
    """Test a carrier, and see each step; disable it, and enable it."""
    owner.go_to("Channels")
    owner.follow("Second carrier")
    owner.write("To", "+12025550142")
    owner.press("Send the test message")
    owner.says("Test again")
    owner.follow("Test again")
    owner.press("Disable")
    owner.says("Disabled.")
    owner.press("Enable")
    owner.says("Enabled.")


def test_callbacks(owner: Console, hand: str) -> None:
    """Make an endpoint, whose secret is shown once; send it a test event; deliver again what failed."""
    owner.go_to("Callbacks")
    owner.follow("New endpoint")
    owner.write("Address", f"http://127.0.0.1:9/{hand}")
    owner.tick("pin.verified")
    owner.press("Make the endpoint")
    owner.says("whsec_")
    owner.go_to("Callbacks")
    owner.follow("/broken")
    owner.press("Send a test event")
    owner.says("The test event is on its way.")
    owner.go_to("Callbacks")
    owner.follow("/broken")
    owner.follow("callback.test")
    owner.press("Deliver again")
    owner.says("The delivery is attempted again.")


def test_guard(owner: Console) -> None:
    """See who is refused, and let one go on; change a rule; replay the policy over the past."""
    owner.go_to("Guard")
    owner.follow("Refused now")
    owner.hand.press(owner.content.get_by_role("button", name="Release").first)
    owner.says("Released.")
    owner.follow("Policy")
    owner.open("All sends")
    owner.choose("Mode", "record only")
    owner.write("Limit", "100000/1h")
    owner.hand.press(owner.content.get_by_role("button", name="Save").filter(visible=True))
    owner.says("The change is saved.")

    owner.follow("Replay")
    owner.press("Replay")
    owner.says("The result")
    owner.page.locator(".uplot canvas").first.wait_for()


def test_access(owner: Console, browsing: Browsing, hand: str) -> None:
    """Create a key and revoke it; create a token, with which its owner signs in."""
    owner.go_to("Access")
    owner.follow("Create a key")
    owner.write("Name", f"Kiosk by {hand}")
    owner.tick("pins: creates")
    owner.press("Create the key")
    owner.says("Copy it now")
    owner.follow("API keys")
    owner.open(f"Revoke Kiosk by {hand}")
    owner.press("Revoke this key")
    owner.says("Revoked.")

    owner.follow("Operators' tokens")
    owner.follow("Create a token")
    owner.write("Name", f"Reader by {hand}")
    owner.press("Create the token")
    owner.says("Copy it now")
    token = re.search(r"wwt_[\w-]+", owner.content.inner_text())
    assert token is not None
    assert "Overview" == browsing.console(token[0]).heading


def test_evidence(owner: Console, house: TeaHouse) -> None:
    """Sign a head, prove a PIN, download the proof, and check it."""
    pins = house.service.admin.get("/admin/v1/verifications", account=ACCOUNT, pageSize=1)["data"]
    owner.go_to("Evidence")
    owner.press("Sign a head now")
    owner.says("A head covers the log as it is now.")
    owner.write("Id of a PIN", pins[0]["pinId"])
    owner.press("Make proofs")
    owner.page.wait_for_url("**/evidence/proofs**")
    with owner.page.expect_download() as taken:
        owner.hand.press(owner.content.locator("tbody a[download]").first)
    proof = taken.value.path().read_text()
    owner.go_to("Evidence")
    owner.write("Proof", proof)
    owner.press("Check")
    owner.says("PinIssued")


def test_a_proof_is_dropped_onto_the_page(browsing: Browsing, house: TeaHouse) -> None:
    """What is in the file stands in the form, and is checked from there."""
    pins = house.service.admin.get("/admin/v1/verifications", account=ACCOUNT, pageSize=1)["data"]
    console = browsing.console(house.service.token)
    proofs = f"/console/evidence/proofs?account={ACCOUNT}&id={pins[0]['pinId']}"
    console.page.goto(proofs)
    with console.page.expect_download() as taken:
        console.hand.press(console.content.locator("tbody a[download]").first)
    console.go_to("Evidence")
    dropped = console.page.evaluate_handle(_FILE, taken.value.path().read_text())
    console.content.dispatch_event("drop", {"dataTransfer": dropped})
    console.page.wait_for_function("() => document.querySelector('textarea').value")
    console.press("Check")

    console.says("PinIssued")


def test_a_story_grows_while_its_page_is_open(browsing: Browsing, house: TeaHouse) -> None:
    """A wrong code that somebody enters now stands on the page without a reload."""
    api = Api(house.service.address, {"Authorization": f"Bearer {house.key}"})
    templates = house.service.admin.get("/admin/v1/pin-templates", account=ACCOUNT)["data"]
    template = next(each["id"] for each in templates if each["name"] == PIN_TEMPLATES[0])
    pin = api.post("/v1/pins", {"destination": "+33612345671", "templateId": template})["pinId"]
    console = browsing.console(house.service.token)
    console.page.goto(f"/console/verifications/{pin}")
    console.page.evaluate("() => { window.kept = true; }")
    with suppress(RefusedError):
        api.post(f"/v1/pins/{pin}/verify", {"pin": "000000"})

    console.says("A wrong code was entered")
    assert console.page.evaluate("() => window.kept")


def test_phones(owner: Console, hand: str) -> None:
    """Answer on a phone, send a receipt, move the clock, and look at the answer on the page of messages."""
    owner.go_to("Phones")
    owner.write("Number or e-mail address", "+12025550105")
    owner.press("Find")
    owner.page.wait_for_url("**/phones/*")
    owner.write("Answer", f"By {hand}, please.")
    owner.press("Send the answer")
    owner.says("Written. The service has received it.")
    owner.says(f"By {hand}, please.")
    owner.open("Send a receipt")
    owner.hand.press(owner.content.get_by_role("button", name="read", exact=True).first)
    owner.says("The receipt is sent.")
    owner.write("or by seconds", "1")
    owner.press("Move")
    owner.says("The clock is moved, and what fell due is done.")
    owner.hand.press(owner.content.locator(".wrote").last.get_by_role("link", name="Its story"))
    owner.page.wait_for_url("**/messages/**")
    owner.says(f"By {hand}, please.")
