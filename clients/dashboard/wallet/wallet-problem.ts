/** A wallet's refusal, in a sentence for people; other errors unchanged. */
export function walletProblem(error: Error | null): Error | null {
  if (error === null || !('shortMessage' in error)) return error;
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    if (each.name === 'UserRejectedRequestError') {
      return new Error('You rejected the request in the wallet. Nothing was changed.');
    }
  }
  return new Error(String(error.shortMessage));
}
