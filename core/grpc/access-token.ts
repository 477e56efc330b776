import { createHash, timingSafeEqual } from 'node:crypto';
import { Metadata, ServerInterceptingCall, type ServerInterceptor, ServerListenerBuilder, status } from '@grpc/grpc-js';
import { CoreService } from '../../proto/gen/tollfree/core/v1/core_service_pb.ts';
import type { Secret } from '../base/values/secret.ts';

const header = 'authorization';
/** Of the core's services: the others are the standard ones, of other packages. */
const corePaths = `/${CoreService.file.proto.package}.`;

/** Metadata of each call: `authorization: Bearer <token>`, or none. */
export function accessMetadata(token: Secret<string> | undefined): Metadata {
  const metadata = new Metadata();
  if (token !== undefined) metadata.set(header, `Bearer ${token.reveal()}`);
  return metadata;
}

/**
 *
 *
 * Answers `UNAUTHENTICATED` to core calls without the token, before reading their message. Health and reflection need none:
 * they reveal nothing, and probes cannot send one.
 */
export function requireToken(token: Secret<string>): ServerInterceptor {
  const expected = digest(`Bearer ${token.reveal()}`);
  return (method, call) => {
    if (!method.path.startsWith(corePaths)) return new ServerInterceptingCall(call);
    const listener = new ServerListenerBuilder().withOnReceiveMetadata((metadata, next) => {
      const [given] = metadata.get(header);
      // Digests have equal length, and the comparison reveals nothing about the token.
      if (timingSafeEqual(digest(String(given ?? '')), expected)) next(metadata);
      else call.sendStatus({ code: status.UNAUTHENTICATED, details: 'the token is missing or wrong' });
    });
    return new ServerInterceptingCall(call, { start: (next) => next(listener.build()) });
  };
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
