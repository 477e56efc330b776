import { BaseError, UserRejectedRequestError } from 'viem';

/** What a wallet refused, in a sentence for people; other errors as they are. */
export function walletProblem(error: Error | null): Error | null {
  if (!(error instanceof BaseError)) return error;
  const rejected = error.walk((each) => each instanceof UserRejectedRequestError);
  return new Error(
    rejected === null ? error.shortMessage : 'You rejected the request in the wallet. Nothing was changed.',
  );
}
