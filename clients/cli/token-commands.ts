import { type Scope, scopes } from '@tollfree/contract/access/scope';
import { maxAuthTokenDays } from '@tollfree/contract/limits';
import { openManagement } from './open-management.ts';
import { mistake } from './terminal/cli-error.ts';
import { countFlag, type Flags, textFlag } from './terminal/flags.ts';
import { formatTime, printAnswer, printHint, printLine, printRows } from './terminal/print-answer.ts';

/** `tollfree token create`: prints only the token on stdout, and instructions on stderr. */
export async function createToken(name: string, flags: Flags): Promise<void> {
  const expiresInDays = countFlag(flags, 'expires-in-days', maxAuthTokenDays);
  const scopes = scopesFlag(flags);
  const token = await openManagement(flags).client.createAuthToken({ name, expiresInDays, scopes });
  printAnswer(flags, token, () => {
    printLine(token.authToken);
    const { authTokenId, expiresAt } = token;
    printHint(`It is shown only once. Its id is ${authTokenId}, it expires: ${formatTime(expiresAt)}`);
  });
}

export async function listTokens(flags: Flags): Promise<void> {
  const tokens = await openManagement(flags).client.listAuthTokens();
  printAnswer(flags, tokens, () =>
    printRows(
      tokens.map(({ authTokenId, scopes, createdAt, expiresAt, lastUsedAt, revokedAt, name }) => ({
        authTokenId,
        scopes: scopes.join(','),
        created: formatTime(createdAt),
        expires: formatTime(expiresAt),
        'last used': formatTime(lastUsedAt),
        revoked: formatTime(revokedAt),
        name,
      })),
    ),
  );
}

export async function revokeToken(authTokenId: string, flags: Flags): Promise<void> {
  await openManagement(flags).client.revokeAuthToken({ authTokenId });
  printAnswer(flags, { authTokenId }, () => printLine(`revoked ${authTokenId}`));
}

/** The scopes of `--scopes read,manage`, or nothing without it. */
export function scopesFlag(flags: Flags): readonly Scope[] | undefined {
  const text = textFlag(flags, 'scopes');
  if (text === undefined) return undefined;
  const words = text.split(',').map((word) => word.trim());
  const wanted = scopes.filter((scope) => words.includes(scope));
  if (wanted.length !== words.length) {
    throw mistake(`--scopes must be one or more of ${scopes.join(',')}, each once, with commas between them.`);
  }
  return wanted;
}

export async function listSessions(flags: Flags): Promise<void> {
  const sessions = await openManagement(flags).client.listSessions();
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
