import type { Address } from 'viem';

/** The paymaster does not take the token. `getSupportedTokens` lists those it takes. */
export class TokenNotTakenError extends Error {
  override readonly name = 'TokenNotTakenError';
  readonly token: Address;

  constructor(token: Address) {
    super(`The paymaster does not take the token ${token}.`);
    this.token = token;
  }
}
