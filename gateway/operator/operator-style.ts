/** The style of the operator's page, light and dark. */
export const operatorStyle = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { margin: 0 auto; max-width: 70rem; padding: 1rem; background: light-dark(#f6f7f7, #121617); color: light-dark(#17201f, #e6ecec) }
a { color: light-dark(#0b6b5d, #5cc9b5) }
h1 { font-size: 1.5rem } h2 { font-size: 1.2rem; margin-top: 2rem } h3 { font-size: 1rem }
code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
.good { color: light-dark(#1b6b35, #7ed398); font-weight: 600 } .bad { color: light-dark(#a8231d, #ff9d94); font-weight: 600 }
.problems li { margin-bottom: .6rem; padding: .6rem .8rem; border-left: 4px solid light-dark(#b3261e, #ffb3ab); background: light-dark(#fbe9e7, #3a1b19) }
ul { padding: 0; list-style: none }
table { width: 100%; border-collapse: collapse }
th, td { padding: .35rem .6rem .35rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid light-dark(#d5dcda, #313b3d) }
@media (max-width: 45rem) {
  thead { position: absolute; clip-path: inset(50%); width: 1px; height: 1px; overflow: hidden }
  tr, td { display: block } td { border: 0; padding: .1rem 0 }
  tr { border-bottom: 1px solid light-dark(#d5dcda, #313b3d); padding: .5rem 0 }
  td::before { content: attr(data-title) ": "; font-weight: 600 }
}
`;
