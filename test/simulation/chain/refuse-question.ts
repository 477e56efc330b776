import { RpcRequestError } from 'viem';

/** The error of a node that answers, and answers that it cannot. */
export function refuseQuestion(message: string): RpcRequestError {
  return new RpcRequestError({ body: {}, url: 'simulated', error: { code: -32_000, message } });
}
