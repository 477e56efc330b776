import { coreOperations, type DescribedName } from '@tollfree/contract/core-operations';
import type { z } from 'zod';
import { request } from '../../core/base/message-schema.ts';
import { coreMethods } from '../../core/domain/core.ts';
import type { CoreMethods } from '../../core/domain/operations/core-methods.ts';
import { partStatuses } from '../../core/domain/operations/service-operations.ts';
import { RefusalSchema } from '../../core/domain/result/refusal.ts';
import { type FieldShape, type MessageShape, shapeOf, type ValueShape } from '../../core/grpc/codec/message-shape.ts';

/** A method of the service. */
export type ProtoMethod = {
  /** Of the operation. */
  readonly name: string;
  /** In protobuf. */
  readonly rpc: string;
  /** The message of its result; absent if the result is the whole response. */
  readonly value: string | undefined;
};

export type ProtoMessage = {
  readonly name: string;
  /** The file for a new message. */
  readonly file: string;
  readonly shape: MessageShape;
  /** The operation whose request it is. */
  readonly operation: string | undefined;
};

/** All messages of the service, from the domain's schemas. Throws if two schemas of one message differ. */
export function protoMessages(): {
  readonly methods: readonly ProtoMethod[];
  readonly messages: Map<string, ProtoMessage>;
} {
  const messages = new Map<string, ProtoMessage>();
  const methods: ProtoMethod[] = [];
  const add = (
    schema: z.ZodType,
    file: string,
    requestOf?: { readonly name: string; readonly operation: string },
  ): string => {
    const shape = shapeOf(schema);
    const name = shape.name ?? requestOf?.name;
    if (name === undefined) throw new TypeError('a message has no name');
    const known = messages.get(name);
    if (known !== undefined) {
      if (wireOf(known.shape) !== wireOf(shape)) throw new TypeError(`two schemas of ${name} differ`);
      return name;
    }
    messages.set(name, { name, file, shape, operation: requestOf?.operation });
    for (const { value } of shape.fields) for (const inner of schemasIn(value)) add(inner, file);
    return name;
  };
  add(RefusalSchema, 'refusal');
  for (const [file, operations] of Object.entries<CoreMethods>(coreMethods)) {
    for (const [name, { input, value }] of Object.entries(operations)) {
      const rpc = capitalized(coreOperations[name as DescribedName].recordedAs);
      add(input ?? request({}), file, { name: `${rpc}Request`, operation: name });
      methods.push({ name, rpc, value: add(value, file) });
    }
  }
  add(request({}), 'status', { name: 'StatusRequest', operation: 'status' });
  add(partStatuses, 'status');
  methods.push({ name: 'status', rpc: 'Status', value: undefined });
  return { methods, messages };
}

function capitalized(name: string): string {
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function schemasIn(value: ValueShape): readonly z.ZodType[] {
  if (value.kind === 'list') return schemasIn(value.item);
  return value.kind === 'message' ? [value.schema] : [];
}

/** What two schemas of a message must have in common. */
function wireOf({ fields, oneof }: MessageShape): string {
  return JSON.stringify([oneof, fields.map((field) => `${typeOf(field)} ${field.name}`).sort()]);
}

/** The type of a field in protobuf, with `repeated`. */
export function typeOf({ value }: Pick<FieldShape, 'value'>): string {
  switch (value.kind) {
    case 'scalar':
      return value.scalar.type;
    case 'map':
      return 'map<string, string>';
    case 'list':
      return `repeated ${typeOf({ value: value.item })}`;
    case 'message':
      return shapeOf(value.schema).name ?? '';
  }
}
