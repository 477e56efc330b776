import { readRpcAnswer } from './rpc-answer.ts';

/** JSON-RPC codes by which a node says that it does not serve us now; other errors are about the question. */
const refusesService = new Set([-32005, -32007, 429]);

/** Whether the error of a question is the other side's fault: no answer of JSON-RPC, or one that it does not serve us. */
export function isFailure(error: unknown): boolean {
  const code = readRpcAnswer(error)?.code;
  return code === undefined || refusesService.has(code);
}
