// What a conversation does beside htmx: keys, clearing the box, following what is written, and saying that ken is not there.
"use strict";
const box = () => document.getElementById("text");
const touch = matchMedia("(pointer: coarse)").matches;
const atEnd = () => innerHeight + scrollY >= document.documentElement.scrollHeight - 80;
let follows = true;
// lost says that ken is not there, beside what else was said; without a text it takes that back, and nothing else.
const lost = (text) => {
	document.querySelector("#say .lost")?.remove();
	if (!text) return;
	const p = document.createElement("p");
	p.className = "fault lost";
	p.textContent = text;
	document.getElementById("say").append(p);
};
addEventListener("scroll", () => { follows = atEnd(); }, { passive: true });
document.addEventListener("keydown", (e) => {
	if (e.isComposing || e.defaultPrevented) return;
	const text = box();
	if (e.key === "Escape" && !e.target.closest("details[open]")) document.querySelector("[data-stop]")?.click();
	if (!text || e.target !== text) return;
	if (e.key === "Enter" && !touch && !e.shiftKey && !e.ctrlKey && !e.altKey && !e.metaKey) {
		e.preventDefault();
		if (text.value.trim()) text.form.requestSubmit();
	}
	const asked = document.querySelectorAll(".turn.you .text");
	if (e.key === "ArrowUp" && text.value === "" && asked.length) {
		e.preventDefault();
		text.value = asked[asked.length - 1].innerText;
	}
});
document.addEventListener("htmx:after:request", (e) => {
	const { ctx } = e.detail;
	if (!ctx.sourceElement?.matches?.("#ask, .further") || ctx.response.status > 299) return; // its .id is a field of the form
	document.querySelectorAll(".further").forEach((f) => f.remove());
	if (!ctx.sourceElement.matches("#ask")) return;
	box().value = "";
	if (touch) box().blur();
	follows = true;
});
document.addEventListener("htmx:after:swap", () => { if (follows && document.querySelector(".run [aria-busy]")) scrollTo(0, document.documentElement.scrollHeight); });
document.addEventListener("htmx:error", () => lost("ken does not answer. Is ken serve running? What you wrote is still here."));
document.addEventListener("htmx:sse:error", () => lost("The connection to ken is lost. The answer goes on when it is back."));
document.addEventListener("htmx:sse:after:connection", () => lost(""));
document.getElementById("turns")?.querySelector(".run")?.scrollIntoView({ block: "end" });
