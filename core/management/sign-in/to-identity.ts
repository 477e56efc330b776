import { omitAbsent } from '@tollfree/contract/omit-absent';
import { getAddress } from 'viem';
import type { Role } from '../../domain/access/scope.ts';
import type { Identity } from '../../domain/sign-in.ts';

/** An account, as shown to a signed-in holder. */
export function toIdentity(
  account: { readonly account_id: string; readonly name: string; readonly wallet: string | null },
  rest: Pick<Identity, 'signUp' | 'scopes'> & {
    readonly authTokenId?: string | null;
    readonly expiresAt?: number | null;
    /** The wallet that signed in. */
    readonly wallet?: string | null;
    /** For a contract wallet. */
    readonly chainId?: number | null;
    readonly role?: Role | null;
  },
): Identity {
  const { account_id: accountId, name } = account;
  const wallet = rest.wallet ?? account.wallet;
  return {
    accountId,
    name,
    signUp: rest.signUp,
    scopes: rest.scopes,
    ...omitAbsent({
      wallet: wallet === null ? undefined : getAddress(wallet),
      chainId: rest.chainId ?? undefined,
      role: rest.role ?? undefined,
      authTokenId: rest.authTokenId ?? undefined,
      expiresAt: rest.expiresAt ?? undefined,
    }),
  };
}
