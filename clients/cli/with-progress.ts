/** What takes longer than this shows that it goes on, in milliseconds. */
const patienceMs = 1_000;

/** Does something that can take longer than a second, and shows so on stderr where that is a terminal. */
export async function withProgress<T>(message: string, work: () => Promise<T>): Promise<T> {
  if (process.stderr.isTTY !== true) return work();
  const { spinner } = await import('@clack/prompts');
  const shown = spinner({ output: process.stderr, indicator: 'timer' });
  let isShown = false;
  const timer = setTimeout(() => {
    isShown = true;
    shown.start(message);
  }, patienceMs);
  try {
    return await work();
  } finally {
    clearTimeout(timer);
    if (isShown) shown.clear();
  }
}
