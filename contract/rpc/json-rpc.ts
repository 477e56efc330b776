import { z } from 'zod';
import { limitUnits } from '../policy-fields.ts';
import { limitKinds } from './limit-kinds.ts';
import { ThenPayInTokenSchema } from './refusals.ts';

/** JSON-RPC versions: every spelling that clients send is accepted; answers say `2.0`. */
export const jsonRpcVersions = ['2.0', '2.0.0', '2'] as const;

/** Chosen by the client and echoed unchanged. A request without an id is refused: there are no notifications. */
export const JsonRpcIdSchema = z.union([z.string(), z.number(), z.null()]);
export type JsonRpcId = z.infer<typeof JsonRpcIdSchema>;

export const JsonRpcErrorSchema = z.object({
  code: z.int(),
  message: z.string().describe('Explains the refusal and how to fix it.'),
  data: z
    .looseObject({
      reason: z.string().describe('Stable name of the refusal.'),
      limitKind: z
        .enum(limitKinds)
        .optional()
        .describe('Which bound LIMIT_EXCEEDED is about. A newer service may have others.'),
      resetsAt: z
        .int()
        .optional()
        .describe('Unix seconds from which on the same request may fit. Absent if waiting does not help.'),
      unit: z.enum(limitUnits).optional().describe('Unit of `max`, `used` and `asked` in the same object.'),
      decisionId: z.string().optional().describe('Id of the decision, for inquiries.'),
      field: z.string().optional().describe('The invalid input.'),
      thenPayInToken: ThenPayInTokenSchema.optional().describe('The tokens the user may pay in instead.'),
    })
    .optional(),
});
export type JsonRpcError = z.infer<typeof JsonRpcErrorSchema>;

export const JsonRpcErrorResponseSchema = z.object({
  jsonrpc: z.literal('2.0'),
  id: JsonRpcIdSchema,
  error: JsonRpcErrorSchema,
});
export type JsonRpcErrorResponse = z.infer<typeof JsonRpcErrorResponseSchema>;

/** Envelope of a request for one method. */
export function jsonRpcRequest<const Method extends string, Params extends z.ZodType>(method: Method, params: Params) {
  return z.object({
    jsonrpc: z.enum(jsonRpcVersions),
    id: JsonRpcIdSchema,
    method: z.literal(method),
    params,
  });
}

/** Envelope of a method's successful answer. */
export function jsonRpcResponse<Result extends z.ZodType>(result: Result) {
  return z.object({ jsonrpc: z.literal('2.0'), id: JsonRpcIdSchema, result });
}
