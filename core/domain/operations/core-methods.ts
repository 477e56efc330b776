import type { RestTerms } from '@tollfree/contract/operation';
import { z } from 'zod';
import { fieldsSent, type SentFields } from '../../base/fields-of-api.ts';
import { request, text } from '../../base/message-schema.ts';
import { owned } from '../access/actor.ts';
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

const owners = { none: {}, account: { accountId: text }, paymaster: owned };
type Owner<Operation extends RestTerms> = (typeof owners)[Operation['credentials']];

/** Of a change of an object with a version. */
export const version = {
  /** The version of the object that the change is for. If the object has another one: `CHANGED_MEANWHILE`. */
  etag: text.exactOptional(),
} as const;

type Part = 'pathParams' | 'query' | 'body';
type FieldsOfPart<Operation, Given> = {
  [Name in Part]: Operation extends Readonly<Record<Name, z.ZodObject<infer Shape>>>
    ? SentFields<Shape, Given>
    : object;
};
type AllFields<Parts extends Record<Part, object>> = Parts['pathParams'] & Parts['query'] & Parts['body'];
type Shape<Fields> = { [Name in keyof Fields]: Extract<Fields[Name], z.ZodType> };
type Version<Operation> = Operation extends { readonly versioned: true } ? typeof version : object;
type InputFields<Operation extends RestTerms, Given> = Shape<
  Owner<Operation> & AllFields<FieldsOfPart<Operation, Given>> & Version<Operation>
>;
type Parts = Readonly<Record<string, z.ZodType>>;

/**
 * The fields of an operation's input by its description: its owner, and what its path, query and body have. `parts` has the
 * core's schemas of objects, and of choices that are more than texts.
 */
export function inputFields<Operation extends RestTerms, Given extends Parts = Record<never, never>>(
  operation: Operation,
  parts?: Given,
): InputFields<Operation, Given> {
  const { credentials, pathParams, query, body, versioned } = operation;
  const sent = [pathParams, query, body].filter((part) => part instanceof z.ZodObject);
  const versions = versioned === true ? version : {};
  return Object.assign({}, ...sent.map((part) => fieldsSent(part, parts)), owners[credentials], versions);
}

/** The input of an operation that has only the fields of its description. */
export function inputOf<Operation extends RestTerms, Given extends Parts = Record<never, never>>(
  operation: Operation,
  parts?: Given,
) {
  return request(inputFields(operation, parts));
}
