// What the page does beside htmx: Esc closes what is being edited, what was put in has the focus, and one box chooses all.
"use strict";
document.addEventListener("keydown", (e) => {
	if (e.key !== "Escape" || e.isComposing) return;
	const open = e.target.closest("details[open]");
	if (open) {
		open.open = false;
		open.querySelector("summary").focus();
	}
});
document.addEventListener("htmx:after:swap", () => {
	const said = document.querySelector("[data-focus]");
	if (!said) return;
	said.removeAttribute("data-focus");
	said.focus();
});
document.addEventListener("change", (e) => {
	const all = e.target.dataset.all;
	if (all) for (const box of e.target.form.elements) if (box.name === all) box.checked = e.target.checked;
});
