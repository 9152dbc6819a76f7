import { type EgressGuard } from '../egress/egress-guard.js';
import { boundedHttpHandler } from './bounded-http-handler.js';
import { type BedrockAccount } from './bedrock-settings.js';

/**
 * What every client of Bedrock is made with. HTTP/1.1, because other servers that speak the protocol often know
 * nothing else. AWS's own addresses are not guarded: inside a VPC they are private ones.
 */
export function bedrockConnection(account: BedrockAccount, guard: EgressGuard) {
  const {
    region,
    endpoint,
    aws_access_key_id: id,
    aws_secret_access_key: key,
    aws_session_token: token,
  } = account;
  return {
    region,
    maxAttempts: 1,
    ...(id &&
      key && {
        credentials: { accessKeyId: id, secretAccessKey: key, ...(token && { sessionToken: token }) },
      }),
    ...(endpoint !== undefined && { endpoint }),
    requestHandler: boundedHttpHandler(guard, endpoint === undefined ? {} : guard.agents()),
  };
}
