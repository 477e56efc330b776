import { tryAgain } from '../../clients/cli/terminal/cli-error.ts';

const readyTimeoutMs = 30_000;
const retryMs = 100;

/** Waits until `/readyz` answers 200. */
export async function waitUntilReady(adminUrl: string): Promise<void> {
  const deadline = Date.now() + readyTimeoutMs;
  for (;;) {
    const response = await fetch(`${adminUrl}/readyz`, { signal: AbortSignal.timeout(readyTimeoutMs) });
    const answer = await response.text();
    if (response.ok) return;
    if (Date.now() > deadline) throw tryAgain(`The service did not become ready: ${answer}`);
    await new Promise((resolve) => setTimeout(resolve, retryMs));
  }
}
