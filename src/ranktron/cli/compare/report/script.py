"""The script of the page: it highlights the curve under the pointer and shows its losses. The page works without it."""

SCRIPT = """
(() => {
  const data = JSON.parse(document.getElementById("curves").textContent);

  const light = place => {
    for (const chart of document.querySelectorAll(".chart")) {
      chart.classList.toggle("lit", place !== null);
      for (const part of chart.querySelectorAll("[data-place]"))
        part.classList.toggle("lit", part.dataset.place === place);
    }
  };
  for (const part of document.querySelectorAll("[data-place]")) {
    part.addEventListener("pointerenter", () => light(part.dataset.place));
    part.addEventListener("pointerleave", () => light(null));
  }

  const line = (swatch, name, value) => {
    const row = document.createElement("div"), label = document.createElement("span"), number = document.createElement("b");
    if (swatch) row.append(swatch.cloneNode(true));
    label.textContent = name;
    number.textContent = value;
    row.append(label, number);
    return row;
  };
  const lines = near => data.curves
    .map((curve, place) => ({name: curve.name, loss: curve.loss[near], place}))
    .filter(one => one.loss !== null)
    .sort((a, b) => a.loss - b.loss)
    .slice(0, 10)
    .map(one => line(document.querySelector(`.swatch-of[data-number="${one.place}"] svg`), one.name, one.loss.toFixed(4)));

  const watch = (figure, chart, tip) => {
    const rule = chart.querySelector(".rule"), width = chart.viewBox.baseVal.width, isLog = chart.dataset.log === "1";
    const [left, right, from, to] = ["left", "right", "from", "to"].map(name => Number(chart.dataset[name]));
    const share = x => isLog ? Math.log(x / from) / Math.log(to / from) : (x - from) / (to - from);
    const draw = x => { rule.setAttribute("x1", x); rule.setAttribute("x2", x); };
    const hide = () => { tip.style.display = "none"; draw(-9); };
    chart.addEventListener("pointerleave", hide);
    chart.addEventListener("pointermove", event => {
      const box = chart.getBoundingClientRect();
      const pointed = ((event.clientX - box.left) / box.width * width - left) / (right - left);
      if (pointed < 0 || pointed > 1) return hide();
      const gaps = data.at.map(x => Math.abs(share(x) - pointed)), near = gaps.indexOf(Math.min(...gaps));
      const x = left + share(data.at[near]) * (right - left);
      draw(x);
      tip.replaceChildren(line(null, `${data.at[near].toLocaleString("en")} ${data.unit}`, ""), ...lines(near));
      tip.style.display = "block";
      const middle = x / width * box.width + box.left - figure.getBoundingClientRect().left;
      const fits = middle + 14 + tip.offsetWidth <= figure.offsetWidth;
      tip.style.left = `${Math.max(0, fits ? middle + 14 : middle - 14 - tip.offsetWidth)}px`;
    });
  };
  for (const figure of document.querySelectorAll(".figure"))
    for (const chart of figure.querySelectorAll(".chart")) watch(figure, chart, figure.querySelector(".tip"));
})();
"""
