import { IdentitySchema, NewSessionSchema, SignInNonceSchema } from '../../../proto/gen/tollfree/core/v1/sign_in_pb.ts';
import { type Identity, type NewSession, type SignInNonce, signUpModes } from '../../domain/sign-in.ts';
import { address } from '../codec/address.ts';
import { messageOf } from '../codec/message-of.ts';
import { oneOf } from '../codec/one-of.ts';
import { required } from '../codec/presence.ts';
import { seconds } from '../codec/seconds.ts';

const signUp = oneOf(signUpModes);

export const signInNonce = messageOf<SignInNonce>()(SignInNonceSchema, {
  issuedAt: seconds,
  expiresAt: seconds,
  signUp,
});

export const identity = messageOf<Identity>()(IdentitySchema, { wallet: address, expiresAt: seconds, signUp });

export const newSession = messageOf<NewSession>()(NewSessionSchema, { identity: required(identity) });
