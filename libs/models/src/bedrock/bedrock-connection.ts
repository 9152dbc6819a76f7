import { ProviderFailure } from '../calls/provider-failure.js';
import { type EgressGuard } from '../egress/egress-guard.js';
import { boundedHttpHandler } from './bounded-http-handler.js';
import { type BedrockAccount } from './bedrock-settings.js';

/** Hosts that AWS alone gives addresses to, those of private endpoints in a VPC included. */
const AWS_HOST = /\.(?:amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/;

/**
 * What every client of Bedrock is made with. HTTP/1.1, because other servers that speak the protocol often know
 * nothing else. AWS's own addresses are not guarded: inside a VPC they are private ones.
 * @throws ProviderFailure when another address would get the credentials of the process
 */
export function bedrockConnection(account: BedrockAccount, guard: EgressGuard) {
  const {
    region,
    endpoint,
    aws_access_key_id: id,
    aws_secret_access_key: key,
    aws_session_token: token,
  } = account;
  if (!(id && key) && endpoint !== undefined && !isOfAws(endpoint)) throw noOwnCredentials();
  return {
    region,
    maxAttempts: 1,
    ...(id &&
      key && {
        credentials: { accessKeyId: id, secretAccessKey: key, ...(token && { sessionToken: token }) },
        // otherwise the SDK sends AWS_BEARER_TOKEN_BEDROCK of the process instead
        authSchemePreference: ['sigv4'],
      }),
    ...(endpoint !== undefined && { endpoint }),
    requestHandler: boundedHttpHandler(guard, endpoint === undefined ? {} : guard.agents()),
  };
}

function isOfAws(endpoint: string): boolean {
  const { protocol, hostname } = new URL(endpoint);
  return protocol === 'https:' && AWS_HOST.test(hostname);
}

const noOwnCredentials = (): ProviderFailure =>
  new ProviderFailure(
    'misconfigured',
    "can't be used: the credentials of the service go to addresses of AWS alone; set aws_access_key_id and aws_secret_access_key",
  );
