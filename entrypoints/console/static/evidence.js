// The page on evidence: a proof that is dropped onto it, or chosen, is read into the form.
"use strict";

(() => {
  const form = document.querySelector("[data-drop]");
  if (!form) return;
  const field = document.getElementById(form.dataset.drop);

  const choose = document.createElement("input");
  choose.type = "file";
  choose.id = "proof-file";
  choose.accept = ".tlog-proof";
  const label = document.createElement("label");
  label.htmlFor = choose.id;
  label.textContent = "Or choose the file";
  const place = document.createElement("div");
  place.className = "field";
  place.append(label, choose);
  field.closest(".field").after(place);

  const read = async (file) => {
    field.setCustomValidity("");
    if (file.size > Number(form.dataset.most)) {
      field.setCustomValidity("This file is too large for a proof.");
      field.reportValidity();
      return;
    }
    field.value = await file.text();
    field.focus();
  };

  choose.addEventListener("change", () => { if (choose.files.length) read(choose.files[0]); });
  field.addEventListener("input", () => field.setCustomValidity(""));
  for (const kind of ["dragover", "dragleave", "drop"]) {
    document.addEventListener(kind, (event) => {
      const files = event.dataTransfer && [...event.dataTransfer.types].includes("Files");
      if (!files) return;
      event.preventDefault();
      form.closest(".card").classList.toggle("dropping", kind === "dragover");
      if (kind === "drop" && event.dataTransfer.files.length) read(event.dataTransfer.files[0]);
    });
  }
})();
