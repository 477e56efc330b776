import type { Address } from 'viem';

/** The paymaster does not accept the token. `getSupportedTokens` lists the accepted ones. */
export class TokenNotTakenError extends Error {
  override readonly name = 'TokenNotTakenError';
  readonly token: Address;

  constructor(token: Address) {
    super(`The paymaster does not take the token ${token}.`);
    this.token = token;
  }
}
