import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What axe finds, except trifles. */
async function findBarriers(axe: AxeBuilder): Promise<readonly string[]> {
  // What react-aria has read out names the button that was pressed, which may be gone with its form by now.
  const { violations } = await axe.exclude('[data-live-announcer]').setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact !== 'minor')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** In both colour schemes, which differ in nothing but colours, on a narrow phone without pushing anything aside, and in columns that keep apart. */
export async function expectPageForAll(page: Page): Promise<void> {
  await page.getByText('Loading …').first().waitFor({ state: 'detached' });
  await page.emulateMedia({ colorScheme: 'light' });
  expect(await findBarriers(new AxeBuilder({ page }))).toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  // A background that follows its text late is unreadable meanwhile.
  const changing = () => document.getAnimations().filter((each) => each instanceof CSSTransition).length;
  expect(await page.evaluate(changing)).toBe(0);
  expect(await findBarriers(new AxeBuilder({ page }).withRules('color-contrast'))).toEqual([]);
  await page.setViewportSize({ width: 360, height: 740 });
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);
  for (const width of [1_000, 1_280]) {
    await page.setViewportSize({ width, height: 800 });
    expect(await page.evaluate(findOverlaps), `columns at ${width} px`).toEqual([]);
  }
}

/** The cells of tables, each with its neighbour, whose text runs into that of the next column. */
function findOverlaps(): readonly string[] {
  const boxOf = (cell: Element) => {
    const range = document.createRange();
    range.selectNodeContents(cell);
    return range.getBoundingClientRect();
  };
  // What only screen readers get is clipped, but counts in the box around a cell: a copied value is announced for two seconds.
  const unseen = [...document.querySelectorAll<HTMLElement>('main .only-read:not([hidden])')];
  for (const each of unseen) each.hidden = true;
  const overlaps = [...document.querySelectorAll('main tr')].flatMap((row) => {
    const cells = [...row.children].map((cell) => ({ text: cell.textContent, box: boxOf(cell) }));
    return cells.flatMap(({ text, box }, index) => {
      const next = cells[index + 1];
      // One pixel is rounding. Cells below each other are no columns.
      const isApart = next === undefined || next.box.width === 0 || box.right <= next.box.left + 1;
      return isApart || box.bottom <= next.box.top ? [] : [`“${text}” runs into “${next.text}”`];
    });
  });
  for (const each of unseen) each.hidden = false;
  return overlaps;
}
