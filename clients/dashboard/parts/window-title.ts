type Alerts = { readonly count: number; readonly isUrgent: boolean };

let title = 'Tollfree';
let alerts: Alerts = { count: 0, isUrgent: false };

/** Sets the title of the window; the number of what needs attention stands in front of it. */
export function setTitle(next: string): void {
  title = next;
  show();
}

/** What needs attention is shown in front of the title, and as a dot on the icon. */
export function setAlerts(next: Alerts): void {
  alerts = next;
  show();
}

function show(): void {
  const { count, isUrgent } = alerts;
  document.title = count === 0 ? title : `(${count}) ${title}`;
  const icon = document.querySelector<HTMLLinkElement>('link[rel="icon"]');
  const href = count === 0 ? '/dashboard/icon.svg' : dottedIcon(isUrgent ? '#c62f2f' : '#b76e00');
  // Setting the address that it has would load it again.
  if (icon !== null && icon.getAttribute('href') !== href) icon.setAttribute('href', href);
}

/** The icon of `public/icon.svg` with a dot. A number would not be readable at 16 pixels. */
function dottedIcon(color: string): string {
  const svg =
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b6b5d"/>' +
    '<path d="M8 11h16M16 11v13" stroke="#fff" stroke-width="4" stroke-linecap="round"/>' +
    `<circle cx="24" cy="24" r="8" fill="${color}" stroke="#fff" stroke-width="2"/></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
}
