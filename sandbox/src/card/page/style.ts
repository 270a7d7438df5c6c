/** The page's only resource. Every pair of colours has a contrast above 4.5 (WCAG 2.2, 1.4.3). */
export const STYLE = `
*, *::before, *::after { box-sizing: border-box; }
html { color-scheme: light; }
body {
  margin: 0; padding: 1.5rem 1rem 3rem; background: #f3f4f1; color: #1c211e;
  font: 1rem/1.5 system-ui, sans-serif;
}
main { max-width: 28rem; margin: 0 auto; }
.sandbox { margin: 0 0 1rem; font-size: .875rem; color: #4a524d; }
.sheet { background: #fff; border: 1px solid #cfd4d0; border-radius: .75rem; padding: 1.5rem; overflow-wrap: anywhere; }
h1 { margin: 0; font-size: 1.125rem; font-weight: 600; }
.amount { margin: .25rem 0 0; font-size: 2rem; line-height: 1.2; font-weight: 700; font-variant-numeric: tabular-nums; }
.description { margin: .25rem 0 0; color: #4a524d; }
.summary {
  margin: 1.25rem 0 0; padding: .75rem 1rem; border-left: .25rem solid #a3161f; background: #fdf0f0; color: #7d0f17;
}
.summary h2 { margin: 0; font-size: 1rem; }
.summary ul { margin: .25rem 0 0; padding-left: 1.25rem; }
.summary a { color: inherit; }
form { margin: 1.25rem 0 0; }
.field { margin: 0 0 1rem; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: end; }
label { display: block; font-weight: 600; }
.hint { display: block; font-size: .875rem; color: #4a524d; }
.error { display: block; font-size: .875rem; color: #a3161f; }
input {
  display: block; width: 100%; min-height: 2.75rem; margin-top: .25rem; padding: .5rem .75rem;
  border: 1px solid #6d756f; border-radius: .375rem; background: #fff; color: inherit; font: inherit;
}
input[aria-invalid='true'] { border: 2px solid #a3161f; }
button {
  display: block; width: 100%; min-height: 3rem; border: 0; border-radius: .375rem; background: #0d5c46; color: #fff;
  font: inherit; font-weight: 600; cursor: pointer;
}
button:hover { background: #0a4635; }
:focus-visible { outline: 3px solid #1d4ed8; outline-offset: 2px; }
.leave { margin: 1rem 0 0; text-align: center; }
a { color: #0d5c46; }
details { margin: 1rem 0 0; font-size: .875rem; }
summary { padding: .5rem 0; font-weight: 600; cursor: pointer; }
dl { margin: 0; }
dt { margin-top: .5rem; font-variant-numeric: tabular-nums; font-weight: 600; }
dd { margin: 0; color: #4a524d; }
@media (max-width: 22rem) { .pair { grid-template-columns: 1fr; gap: 0; } }
`
