import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Core } from '../../core/domain/core.ts';
import { accepted } from '../accepted.ts';

const accountName = 'development';

type DevAccount = { readonly accountId: string; readonly authToken: string };

/**
 * The development account, with its authToken from the file (mode 0600) while the service accepts it, else a new one, which the
 * file then holds. The account is made where there is none.
 */
export async function openDevAccount(core: Core, file: string): Promise<DevAccount> {
  if (existsSync(file)) {
    chmodSync(file, 0o600);
    const authToken = readFileSync(file, 'utf8').trim();
    const caller = await core.authenticate({ authToken });
    if (caller.ok) return { accountId: caller.value.accountId, authToken };
  }
  const accounts = accepted(await core.listAccounts({}));
  const known = accounts.find(({ name }) => name === accountName);
  const { accountId } = known ?? accepted(await core.createAccount({ name: accountName }));
  const { authToken } = accepted(await core.createAuthToken({ accountId, name: 'tollfree dev' }));
  writeFileSync(file, `${authToken}\n`, { mode: 0o600 });
  return { accountId, authToken };
}
