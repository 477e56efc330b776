import { z } from 'zod';

/** Every management answer: `statusCode` mirrors the HTTP status (with two exceptions), `data` on some successes. */
export function envelope<const Message extends string>(message: Message) {
  return z.object({ statusCode: z.literal(200), message: z.literal(message) });
}

/** A successful answer that carries `data`. */
export function envelopeWith<const Message extends string, Data extends z.ZodType>(message: Message, data: Data) {
  return z.object({ statusCode: z.literal(200), message: z.literal(message), data });
}

export const ErrorEnvelopeSchema = z
  .object({ statusCode: z.int(), message: z.string() })
  .meta({ title: 'ErrorEnvelope' });
export type ErrorEnvelope = z.infer<typeof ErrorEnvelopeSchema>;

/** One error: its HTTP status, and the body's two fields. */
export type ErrorAnswer<Status extends number = number> = {
  readonly status: Status;
  readonly statusCode: number;
  readonly message: string;
};

/** Errors that every management route can return. */
export const commonErrorResponses = {
  400: ErrorEnvelopeSchema,
  401: ErrorEnvelopeSchema,
  403: ErrorEnvelopeSchema,
  413: ErrorEnvelopeSchema,
  415: ErrorEnvelopeSchema,
  429: ErrorEnvelopeSchema,
  500: ErrorEnvelopeSchema,
  503: ErrorEnvelopeSchema,
} as const;
