import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

/** What axe finds, serious or worse. */
async function findBarriers(axe: AxeBuilder): Promise<readonly string[]> {
  // What react-aria has read out names the button that was pressed, which may be gone with its form by now.
  const { violations } = await axe.exclude('[data-live-announcer]').setLegacyMode().analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** In both colour schemes, which differ in nothing but colours, and on a narrow phone without pushing anything aside. */
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
  await page.setViewportSize({ width: 1_280, height: 800 });
}
