/**
 * The script of the documentation: a button at each code block that copies it, and a menu that shows the page's own entry.
 * Browsers without a clipboard, such as over plain HTTP, get no button. What was copied is also read out.
 */
export const copyScript = `'use strict';
const shownMs = 2000;
const menu = document.getElementById('pages');
const entry = menu?.querySelector('[aria-current]');
// The menu scrolls by itself on wide screens alone.
if (entry && getComputedStyle(menu).position === 'sticky') menu.scrollTop = entry.offsetTop - menu.clientHeight / 2;
if (navigator.clipboard !== undefined) {
  const said = document.createElement('p');
  said.className = 'only-read';
  said.setAttribute('role', 'status');
  document.body.append(said);
  for (const block of document.querySelectorAll('main pre')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-label', 'Copy code');
    button.addEventListener('click', async () => {
      const done = await navigator.clipboard.writeText(block.textContent).then(() => 'Copied', () => 'Not copied');
      button.textContent = done;
      said.textContent = done;
      setTimeout(() => {
        button.textContent = 'Copy';
        said.textContent = '';
      }, shownMs);
    });
    const around = document.createElement('div');
    around.className = 'code';
    block.replaceWith(around);
    around.append(block, button);
  }
}
`;
