import type { DescMethodUnary, Message } from '@bufbuild/protobuf';
import { coreOperations, type RecordedName } from '@tollfree/contract/core-operations';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import {
  RefusalSchema as RefusalDescriptor,
  type Refusal as RefusalMessage,
} from '../../proto/gen/tollfree/core/v1/refusal_pb.ts';
import { request } from '../base/message-schema.ts';
import { type Core, coreMethods, type Input } from '../domain/core.ts';
import type { CoreMethods } from '../domain/operations/core-methods.ts';
import { partStatuses } from '../domain/operations/service-operations.ts';
import { type Refusal, RefusalSchema } from '../domain/result/refusal.ts';
import { accept, type Result, refuse } from '../domain/result/result.ts';
import { type UnaryMethod, unaryMethod } from './bridge.ts';
import { messageCodec } from './codec/message-codec.ts';
import type { Codec } from './codec/scalars.ts';

/** Offers a method on a server. */
export type Route = <Request, Response>(
  method: UnaryMethod<Request, Response>,
  handle: (request: Request) => Promise<Response>,
) => void;

/** Calls a method of a server. */
export type Send = <Request, Response>(method: UnaryMethod<Request, Response>, request: Request) => Promise<Response>;

/** One operation of the core on the wire, in domain types: how a server offers it and how a client calls it. */
export type Operation<Input, Value> = {
  serve(route: Route, perform: (input: Input) => Promise<Result<Value>>): void;
  call(send: Send): (input: Input) => Promise<Result<Value>>;
};

/** The common form of all response messages, whatever their names. */
type Reply = Message & {
  result:
    | { case: 'value'; value: Message }
    | { case: 'refusal'; value: RefusalMessage }
    | { case: undefined; value?: undefined };
};

const refusal = messageCodec(RefusalSchema, RefusalDescriptor) as Codec<Refusal, RefusalMessage>;

/** For an operation without input. */
const noInput = request({});

const methods: CoreMethods = Object.assign({}, ...Object.values(coreMethods));

/** Creates an operation from the service's method and the core method's input and value. */
function operation<Name extends OperationName>(name: Name): Operation<Input<Name>, Value<Name>> {
  const descriptor: DescMethodUnary = CoreService.method[coreOperations[name].recordedAs as RecordedName<Name>];
  // The service has no other responses, and `Core` is the type of the same schemas.
  const method = unaryMethod(descriptor) as unknown as UnaryMethod<Message, Reply>;
  const described = methods[name];
  const valueDescriptor = descriptor.output.field.value?.message;
  if (described === undefined || valueDescriptor === undefined)
    throw new TypeError(`${name} has no schema of its value`);
  const input = messageCodec(described.input ?? noInput, descriptor.input) as Codec<Input<Name>, Message>;
  const value = messageCodec(described.value, valueDescriptor) as Codec<Value<Name>, Message>;
  return {
    serve(route, perform) {
      route(method, async (request) => {
        const outcome = await perform(input.toDomain(request));
        const response = method.newResponse();
        response.result = outcome.ok
          ? { case: 'value', value: value.toWire(outcome.value) }
          : { case: 'refusal', value: refusal.toWire(outcome.refusal) };
        return response;
      });
    },
    call(send) {
      return async (domain) => {
        const { result } = await send(method, input.toWire(domain));
        switch (result.case) {
          case 'value':
            return accept(value.toDomain(result.value));
          case 'refusal':
            return refuse(refusal.toDomain(result.value));
          default:
            throw new TypeError(`${method.path} was answered with neither a value nor a refusal`);
        }
      };
    },
  };
}

/** The status of the service, the only answer that is never a refusal. */
export const statusCodec = messageCodec(partStatuses, CoreService.method.status.output);

/** Every operation that answers with a value or a refusal; only `status` does not. */
export type OperationName = Exclude<keyof Core, 'status'>;

export type Value<Name extends OperationName> =
  Awaited<ReturnType<Core[Name]>> extends Result<infer Accepted> ? Accepted : never;

/** Every operation of the core on the wire. */
type Operations = { readonly [Name in OperationName]: Operation<Input<Name>, Value<Name>> };

/** The names of all operations: the contract describes exactly the core's operations. */
export const operationNames: readonly OperationName[] = Object.keys(coreOperations) as (keyof typeof coreOperations)[];

// The operations by name, which the type of `fromEntries` cannot express.
export const operations = Object.fromEntries(
  operationNames.map((name) => [name, operation(name)]),
) as unknown as Operations;

/**
 * Whether an operation is one of the RPC endpoint: many of them are under way at once, their answers are short, and nothing of them
 * is recorded under the name of an actor.
 */
export function isFrequent(name: OperationName): boolean {
  return name in coreMethods.sponsorship;
}
