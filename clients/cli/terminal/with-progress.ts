/** Time after which progress is shown, in milliseconds. */
const patienceMs = 1_000;

/**
 * Runs work that may take longer than a second, showing progress on stderr if it is a terminal. The work may report how far
 * it is.
 */
export async function withProgress<T>(
  message: string,
  work: (show: (message: string) => void) => Promise<T>,
): Promise<T> {
  if (process.stderr.isTTY !== true) return work(() => {});
  const { spinner } = await import('@clack/prompts');
  const shown = spinner({ output: process.stderr, indicator: 'timer' });
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    shown.start(message);
  }, patienceMs);
  try {
    return await work((now) => {
      if (isShown) shown.message(now);
    });
  } finally {
    clearTimeout(timer);
    if (isShown) shown.clear();
  }
}
