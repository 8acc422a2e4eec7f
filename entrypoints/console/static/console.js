// What pages of the console do in a browser besides links and forms: copy a text, show the place in the menu.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select it and copy";
  }
  setTimeout(() => { button.textContent = label; }, 2000);
});

// On a narrow screen the menu is one line, which is moved to the area that is shown.
document.querySelector(".menu [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
