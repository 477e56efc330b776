import { openManagement } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import type { Flags } from './terminal/flags.ts';
import { formatTime, printAnswer, printLine, printRows } from './terminal/print-answer.ts';

export async function listSessions(flags: Flags): Promise<void> {
  const { client } = openManagement(flags);
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
}

export async function revokeSessions(sessionId: string | undefined, flags: Flags): Promise<void> {
  if ((sessionId !== undefined) === (flags.all === true)) throw mistake('Name a session, or all of them: --all.');
  const { client } = openManagement(flags);
  if (sessionId === undefined) await client.revokeAllSessions();
  else await client.revokeSession({ sessionId });
  const ended = sessionId ?? 'all sessions';
  printAnswer(flags, { ended }, () => printLine(`ended ${ended}`));
}
