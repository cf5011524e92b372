// Runs before the first paint: marks that scripts work, and applies the reader's own choice of light or dark.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  const stored = () => {
    try {
      return localStorage.getItem("theme");
    } catch {
      return null;
    }
  };
  const dark = () =>
    (root.dataset.theme ??
      (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  const apply = (theme) => {
    if (theme === "light" || theme === "dark") root.dataset.theme = theme;
  };

  apply(stored());
  addEventListener("storage", (event) => {
    if (event.key === "theme") apply(event.newValue);
  });
  addEventListener("click", (event) => {
    if (!event.target.closest?.("[data-theme-toggle]")) return;
    const theme = dark() ? "light" : "dark";
    apply(theme);
    try {
      localStorage.setItem("theme", theme);
    } catch {
      /* a private window forgets it */
    }
  });
})();
