// What pages of the console do in a browser besides links and forms: copy a text.
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

// The button beside a chooser is for browsers without scripts.
document.addEventListener("change", (event) => {
  const form = event.target.closest(".chooser");
  if (form) form.requestSubmit();
});
