import { describeSignUp } from '../describe-sign-up.ts';
import type { Flags } from '../terminal/flags.ts';
import { printAnswer, printLine } from '../terminal/print-answer.ts';
import { formatTime, printRows } from '../terminal/print-rows.ts';
import { withManagement } from '../with-management.ts';

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
export async function revokeSession(sessionId: string, flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    await client.revokeSession({ sessionId });
    printAnswer(flags, { sessionId }, () => printLine(`ended ${sessionId}`));
  });
}

/** `tollfree session revoke-all`. */
export async function revokeAllSessions(flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    await client.revokeAllSessions();
    printAnswer(flags, {}, () => printLine('ended all sessions'));
  });
}

/** `tollfree session sign-up`. */
export async function showSignUp(flags: Flags): Promise<void> {
  await withManagement(flags, async (client) => {
    const signUp = await client.readSignUp();
    printAnswer(flags, { signUp }, () => printLine(describeSignUp(signUp)));
  });
}
