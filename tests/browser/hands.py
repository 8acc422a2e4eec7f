"""The two ways in which people work a page: with a pointer, and with the keyboard alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from attrs import frozen

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

# No page of the console has as many stops.
_MOST_STOPS = 400
_FOCUSED = "(element) => element === document.activeElement"
# A ring, a border or a ground that the element has only while it has the focus.
_SEEN = """(element) => {
  const look = () => {
    const style = getComputedStyle(element);
    return [style.outlineStyle, style.outlineWidth, style.boxShadow, style.borderColor,
      style.backgroundColor].join();
  };
  const focused = look();
  element.blur();
  const other = look();
  element.focus({focusVisible: true});
  return focused !== other;
}"""


class Hand(Protocol):
    """Works the controls of a page."""

    def press(self, control: Locator) -> None:
        """Follow a link, or press a button."""
        ...

    def write(self, field: Locator, text: str) -> None:
        """Write a text into a field, in place of what stands there."""
        ...

    def choose(self, field: Locator, label: str) -> None:
        """Choose an entry of a list."""
        ...

    def tick(self, box: Locator) -> None:
        """Tick a box, or take its tick away."""
        ...

    def slide(self, slider: Locator, value: int) -> None:
        """Move a slider to a value."""
        ...


@frozen
class Pointer:
    """Clicks, as with a mouse or a finger."""

    page: Page

    def press(self, control: Locator) -> None:
        """Click it."""
        control.click()

    def write(self, field: Locator, text: str) -> None:
        """Click into it, and write."""
        field.click()
        field.fill(text)

    def choose(self, field: Locator, label: str) -> None:
        """Open the list and pick."""
        field.select_option(label=label)

    def tick(self, box: Locator) -> None:
        """Click it."""
        box.click()

    def slide(self, slider: Locator, value: int) -> None:
        """Pull its handle there."""
        least, most = (int(slider.get_attribute(name) or "0") for name in ("min", "max"))
        box = slider.bounding_box()
        assert box is not None
        share = (value - least) / max(most - least, 1)
        slider.click(position={"x": 8 + share * (box["width"] - 16), "y": box["height"] / 2})


@frozen
class Keyboard:
    """Uses the keyboard alone: the tabulator leads to each control, where the focus can be seen."""

    page: Page

    def press(self, control: Locator) -> None:
        """Go there, and press Enter."""
        self._go_to(control)
        self.page.keyboard.press("Enter")

    def write(self, field: Locator, text: str) -> None:
        """Go there, take what stands there, and type."""
        self._go_to(field)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.insert_text(text)

    def choose(self, field: Locator, label: str) -> None:
        """Go there, and type what it says; an arrow would choose each entry on its way."""
        self._go_to(field)
        self.page.keyboard.type(label)
        chosen = field.evaluate("(list) => list.selectedOptions[0].label")
        assert label == chosen.strip()

    def tick(self, box: Locator) -> None:
        """Go there, and press the space bar."""
        self._go_to(box)
        self.page.keyboard.press("Space")

    def slide(self, slider: Locator, value: int) -> None:
        """Go there, and press the arrow as often as it takes."""
        self._go_to(slider)
        for _ in range(value - int(slider.input_value())):
            self.page.keyboard.press("ArrowRight")

    def _go_to(self, control: Locator) -> None:
        control.wait_for()
        for _ in range(_MOST_STOPS):
            if control.evaluate(_FOCUSED):
                assert control.evaluate(_SEEN), f"Nobody sees that the focus is on {control}."
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"The tabulator never came to {control}.")
