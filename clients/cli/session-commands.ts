import { mistake } from './terminal/cli-error.ts';
import type { Flags } from './terminal/flags.ts';
import { formatTime, printAnswer, printLine, printRows } from './terminal/print-answer.ts';
import { withManagement } from './with-management.ts';

/** `tollfree session list`. */
export async function listSessions(flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    const sessions = await client.listSessions();
    printAnswer(flags, sessions, () =>
      printRows(
        sessions.map(({ sessionId, createdAt, lastUsedAt, expiresAt, authTokenId, authTokenName }) => ({
          sessionId,
          opened: formatTime(createdAt),
          'last used': formatTime(lastUsedAt),
          expires: formatTime(expiresAt),
          by: authTokenId === undefined ? 'wallet' : `authToken ${authTokenName ?? authTokenId}`,
        })),
      ),
    );
  });
}

/** `tollfree session revoke`. */
export async function revokeSessions(sessionId: string | undefined, flags: Flags): Promise<void> {
  if ((sessionId !== undefined) === (flags.all === true)) throw mistake('Name a session, or all of them: --all.');
  await withManagement(flags, async (client) => {
    if (sessionId === undefined) await client.revokeAllSessions();
    else await client.revokeSession({ sessionId });
    const ended = sessionId ?? 'all sessions';
    printAnswer(flags, { ended }, () => printLine(`ended ${ended}`));
  });
}
