import { type OperatorStatus, OperatorStatusSchema } from '@tollfree/contract/operator';
import { mistake, tryAgain } from '../../clients/cli/terminal/cli-error.ts';
import type { Flags } from '../../clients/cli/terminal/flags.ts';
import { printAnswer } from '../../clients/cli/terminal/print-answer.ts';
import { withProgress } from '../../clients/cli/terminal/with-progress.ts';
import { adminUrl } from './admin-url.ts';
import { printStatus } from './print-status.ts';

/** Longest wait for the answer, in milliseconds: the service asks its nodes for it. */
const timeoutMs = 20_000;

/** `tollfree status`: the status from the admin listener. Fails when something is wrong, or it does not answer. */
export async function showStatus(flags: Flags): Promise<void> {
  const url = adminUrl(flags);
  const status = await withProgress(`Asking ${url}`, () => askStatus(url));
  printAnswer(flags, status, () => printStatus(status));
  const { length } = status.problems;
  if (length > 0) throw mistake(`${length} ${length === 1 ? 'problem' : 'problems'}.`);
  if (!status.ready) throw mistake('The service is not ready.');
}

async function askStatus(url: URL): Promise<OperatorStatus> {
  const asked = fetch(new URL('status.json', url), { redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
  const response = await asked.catch((cause: unknown) => {
    throw tryAgain(`Nothing responds at ${url}. Is the service running, and is that gateway.adminListen?`, cause);
  });
  const body: unknown = await response.json().catch(() => undefined);
  const status = OperatorStatusSchema.safeParse(body);
  if (response.ok && status.success) return status.data;
  throw tryAgain(`The program at ${url} is not an admin listener of this version of tollfree.`);
}
