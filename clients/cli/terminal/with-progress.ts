/** What takes longer than this shows that it goes on, in milliseconds. */
const patienceMs = 1_000;

/**
 * Does something that can take longer than a second, and shows so on stderr where that is a terminal. The work may say how
 * far it is.
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
