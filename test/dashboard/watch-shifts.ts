import type { Page } from 'playwright-core';

type Shifts = { readonly shifts: { score: number } };

/** Runs in the page. */
function countShifts(): void {
  const shifts = { score: 0 };
  Object.assign(globalThis, { shifts });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
      if (!entry.hadRecentInput) shifts.score += entry.value;
    }
  }).observe({ type: 'layout-shift', buffered: true });
}

/** A page moves less than this, as the score of Chrome, which calls 0.1 good. */
export const mostShift = 0.02;

/** Counts in each document that the page opens how far content moves without a press. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(countShifts);
}

/** How far the content of the open document has moved so far, as the score of Chrome. */
export function readShift(page: Page): Promise<number> {
  return page.evaluate(() => (globalThis as unknown as Shifts).shifts.score);
}
