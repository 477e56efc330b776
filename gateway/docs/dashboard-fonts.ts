import type { DashboardFiles } from '../dashboard-routes.ts';

/** A font of the dashboard, and where the service has its file. */
export type DashboardFont = { readonly family: string; readonly path: string };

/** The files have a hash in their names. */
const files: readonly { readonly family: string; readonly name: RegExp }[] = [
  { family: 'Geist Variable', name: /^assets\/geist-latin-wght-normal-[^/]*\.woff2$/ },
  { family: 'Geist Mono Variable', name: /^assets\/geist-mono-latin-wght-normal-[^/]*\.woff2$/ },
];

/** The dashboard's fonts, for text and for code. Those that the build does not have are left out: the system's stand in. */
export function findFonts(dashboard: DashboardFiles | undefined): readonly DashboardFont[] {
  const names = [...(dashboard?.keys() ?? [])];
  return files.flatMap(({ family, name }) => {
    const found = names.find((each) => name.test(each));
    return found === undefined ? [] : [{ family, path: `/dashboard/${found}` }];
  });
}

/** Rules that name the files. A font that comes too late waits for the next page, so no text moves. */
export function fontFaces(fonts: readonly DashboardFont[]): string {
  return fonts
    .map(
      ({ family, path }) =>
        `@font-face { font-family: "${family}"; font-display: optional; font-weight: 100 900; src: url("${path}") format("woff2"); }\n`,
    )
    .join('');
}

/** Asks for the fonts with the page, before its style sheet has come. */
export function preloadFonts(fonts: readonly DashboardFont[]): string {
  return fonts
    .map(({ path }) => `<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>\n`)
    .join('');
}
