import { ChannelCredentials, Client, status as grpcStatus, type Metadata, type ServiceError } from '@grpc/grpc-js';
import { omitAbsent } from '@tollfree/contract/omit-absent';
import { service as healthService, type ServingStatus } from 'grpc-health-check';
import { isTraced } from '../base/traced.ts';
import type { Secret } from '../base/values/secret.ts';
import { currentSignal } from '../domain/access/actor.ts';
import { checkSocketFolder, formatGrpcAddress, type GrpcAddress, isLocal } from './address.ts';
import type { UnaryMethod } from './bridge.ts';
import { accessMetadata, methodOf, tracedCall, withActor } from './call-metadata.ts';
import { tooManyCalls } from './call-runner.ts';
import { defaultGrpcServerLimits, keepaliveMs, reconnectBackoffMs } from './grpc-limits.ts';
import { type CallStream, openCallStream } from './stream/call-stream.ts';
import { type ClientSecurity, clientSecurity, type GrpcClientTls } from './tls.ts';

/** How a transport sends a call. */
type SendTerms = {
  readonly deadlineMs: number;
  /** Whether it may travel with others, where the server can read that. */
  readonly isFrequent: boolean;
  /** Gets what gives the call up. */
  readonly onSent?: ((giveUp: () => void) => void) | undefined;
  /** Aborted when no one waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
};

/** A connection to a server that reconnects by itself. */
type Transport = {
  send<Request, Response>(
    method: UnaryMethod<Request, Response>,
    request: Request,
    terms: SendTerms,
  ): Promise<Response>;
  /** Checks the server's health. Rejects when there is no answer in time. */
  isServing(deadlineMs: number): Promise<boolean>;
  close(): void;
};

/** The target of a transport, and how both ends prove their identity. */
export type TransportOptions = {
  readonly address: GrpcAddress;
  /** The host name in the server's certificate, if the address is an IP address. */
  readonly host?: string;
  readonly tls?: GrpcClientTls;
  readonly token?: Secret<string>;
};

/** Statuses of a failed transport, as opposed to an error of the server. */
const unavailableStatuses: readonly grpcStatus[] = [
  grpcStatus.UNAVAILABLE,
  grpcStatus.DEADLINE_EXCEEDED,
  grpcStatus.CANCELLED,
];

/**
 * The library's texts for an UNAVAILABLE call that no server has begun: there was no connection, or the stopping server
 * refused its stream. Any other text counts as a call that may have begun.
 */
const notBegunTexts = [/^No connection established/, /^Stream refused by server/, new RegExp(`^${tooManyCalls}$`)];

/**
 * Connects with the first call, and reconnects by itself. `send` rejects with {@link CoreUnavailableError} when there is no
 * answer in time. Throws a sentence for the operator when the address is not on this machine and there is no TLS, or when
 * others could have put a socket there: the calls contain keys.
 */
export function openTransport(options: TransportOptions): Transport {
  const client = openClient(options);
  const metadata = accessMetadata(options.token);
  const stream = openCallStream(client, metadata);
  let closed = false;
  return {
    send(method, request, terms) {
      if (closed) {
        return Promise.reject(new CoreUnavailableError('the connection to the core is closed', { notBegun: true }));
      }
      if (terms.isFrequent && !isTraced()) return sendTogether({ client, metadata, stream }, method, request, terms);
      const signal = currentSignal();
      return tracedCall(method.path, withActor(metadata), (withTrace) =>
        sendUnary({ client, metadata: withTrace }, method, request, { ...terms, signal }),
      );
    },
    async isServing(deadlineMs) {
      // The package provides the method as generated from its .proto file.
      const method = healthService.Check as unknown as UnaryMethod<{ service: string }, { status: ServingStatus }>;
      const terms = { deadlineMs, isFrequent: false };
      return (await sendUnary({ client, metadata }, method, { service: '' }, terms)).status === 'SERVING';
    },
    close() {
      closed = true;
      stream.close();
      client.close();
    },
  };
}

/** Throws if calls to the address would reveal a key to others, or if the TLS settings do not match. */
export function checkConnection(address: GrpcAddress, tls: GrpcClientTls | undefined): void {
  securityOf({ address, ...omitAbsent({ tls }) });
}

function securityOf({ address, host, tls }: TransportOptions): ClientSecurity {
  if (address.kind === 'unix') checkSocketFolder(address.path);
  // Of a socket the library knows no better name either.
  const location = address.kind === 'unix' ? 'localhost' : address.host;
  if (tls !== undefined) return clientSecurity(tls, tls.serverName ?? host ?? location);
  if (isLocal(address)) return { credentials: ChannelCredentials.createInsecure(), options: {} };
  const text = formatGrpcAddress(address);
  throw new Error(`the core at ${text} is on another machine. Calls carry keys and need mutual TLS`);
}

function openClient(options: TransportOptions): Client {
  const { address, host } = options;
  const security = securityOf(options);
  return new Client(formatGrpcAddress(address), security.credentials, {
    ...security.options,
    ...omitAbsent({ 'grpc.default_authority': host }),
    'grpc.max_send_message_length': defaultGrpcServerLimits.maxRequestBytes,
    'grpc.max_receive_message_length': defaultGrpcServerLimits.maxResponseBytes,
    'grpc.initial_reconnect_backoff_ms': reconnectBackoffMs.initial,
    'grpc.max_reconnect_backoff_ms': reconnectBackoffMs.max,
    'grpc.keepalive_time_ms': keepaliveMs.interval,
    'grpc.keepalive_timeout_ms': keepaliveMs.timeout,
    // The environment must not change anything here: no proxy, no settings from DNS.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
    'grpc.use_local_subchannel_pool': 1,
    // Its record of each call would be shown nowhere.
    'grpc.enable_channelz': 0,
  });
}

/** A client, and what it sends with each call. */
type Caller = { readonly client: Client; readonly metadata: Metadata };

function sendUnary<Request, Response>(
  { client, metadata }: Caller,
  method: UnaryMethod<Request, Response>,
  request: Request,
  { deadlineMs, onSent, signal }: SendTerms,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(new CallGivenUpError(method.path));
      return;
    }
    const cancel = () => call.cancel();
    const call = client.makeUnaryRequest(
      method.path,
      method.requestSerialize,
      method.responseDeserialize,
      request,
      metadata,
      { deadline: Date.now() + deadlineMs },
      (error, response) => {
        signal?.removeEventListener('abort', cancel);
        if (error !== null && signal?.aborted === true) reject(new CallGivenUpError(method.path));
        else if (error !== null) reject(describeFailure(method.path, error));
        else if (response === undefined) reject(new Error(`${method.path} returned an empty answer`));
        else resolve(response);
      },
    );
    signal?.addEventListener('abort', cancel, { once: true });
    onSent?.(cancel);
  });
}

/** Sends a call with others where the server takes them so, and on its own where it does not. */
function sendTogether<Request, Response>(
  { stream, ...caller }: Caller & { readonly stream: CallStream },
  method: UnaryMethod<Request, Response>,
  request: Request,
  terms: SendTerms,
): Promise<Response> {
  const { deadlineMs, onSent } = terms;
  const bytes = method.requestSerialize(request);
  return new Promise((resolve, reject) => {
    const giveUp = stream.send({ method: methodOf(method.path), request: bytes, deadlineMs }, (end) => {
      if ('details' in end) return reject(describeFailure(method.path, end));
      try {
        resolve(method.responseDeserialize(end.response));
      } catch (cause) {
        reject(new Error(`${method.path} was answered with bytes that are no message`, { cause }));
      }
    });
    if (giveUp === undefined) sendUnary(caller, method, request, terms).then(resolve, reject);
    else onSent?.(giveUp);
  });
}

/** TLS's reason for rejecting a certificate: for the operator, and not secret. */
const certificateFault =
  /(certificate has expired|certificate is not yet valid|unable to [a-z ]*certificate|self-signed certificate|alert certificate \w+)/i;

function describeFailure(path: string, error: Pick<ServiceError, 'code' | 'details'>): Error {
  const name = grpcStatus[error.code];
  if (unavailableStatuses.includes(error.code)) {
    const notBegun = error.code === grpcStatus.UNAVAILABLE && notBegunTexts.some((text) => text.test(error.details));
    const isOverload = notBegun && error.details === tooManyCalls;
    const why = certificateFault.exec(error.details)?.[0];
    const text = why === undefined ? name : `${name}: ${why}`;
    return new CoreUnavailableError(`the core did not answer ${path} (${text})`, {
      cause: error,
      notBegun,
      isOverload,
    });
  }
  if (error.code === grpcStatus.UNAUTHENTICATED) {
    return new CoreUnavailableError('the core does not accept the token, or requires one', {
      cause: error,
      notBegun: true,
    });
  }
  if (error.code === grpcStatus.UNIMPLEMENTED) {
    const why = /^[\w.]+ has no field \d+$/.exec(error.details)?.[0];
    const text = `the core does not have ${path}${why === undefined ? '' : ` as it was called (${why})`}`;
    return new CoreOutdatedError(`${text}: it runs an earlier version`, { cause: error });
  }
  return new Error(`the core failed ${path} (${name}: ${error.details})`, { cause: error });
}

/**
 * The core could not be reached or did not answer in time. The outcome is unknown, unless `notBegun` says that no core has
 * begun with it: a changing call may have been carried out.
 */
export class CoreUnavailableError extends Error {
  override readonly name: string = 'CoreUnavailableError';
  readonly notBegun: boolean;
  /** The core answers, but has too many calls. */
  readonly isOverload: boolean;

  constructor(
    message: string,
    options: ErrorOptions & { readonly notBegun?: boolean; readonly isOverload?: boolean } = {},
  ) {
    super(message, options);
    this.notBegun = options.notBegun ?? false;
    this.isOverload = options.isOverload ?? false;
  }
}

/** The call was cancelled since no one waits for its answer any more. A changing call may have been carried out. */
class CallGivenUpError extends Error {
  override readonly name = 'CallGivenUpError';

  constructor(path: string) {
    super(`no one waits for the answer of ${path} any more`);
  }
}

/** The core does not have the operation: it runs an earlier version than its caller. No core has begun with it. */
export class CoreOutdatedError extends CoreUnavailableError {
  override readonly name = 'CoreOutdatedError';

  constructor(message: string, options: ErrorOptions = {}) {
    super(message, { ...options, notBegun: true });
  }
}
