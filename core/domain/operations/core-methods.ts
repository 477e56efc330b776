import type { z } from 'zod';
import type { Result } from '../result/result.ts';

/** An operation of the core: its input, if any, and the value of its result. */
type CoreMethod = { readonly input?: z.ZodType; readonly value: z.ZodType };
export type CoreMethods = { readonly [name: string]: CoreMethod };

/** The operations that methods describe. */
export type OperationsOf<Methods extends CoreMethods> = {
  [Name in keyof Methods]: Methods[Name] extends { readonly input: infer Input extends z.ZodType }
    ? (input: z.output<Input>) => Promise<Result<z.output<Methods[Name]['value']>>>
    : () => Promise<Result<z.output<Methods[Name]['value']>>>;
};
