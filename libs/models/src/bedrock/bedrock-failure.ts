import { isJsonObject, type JsonObject } from '@loci/platform/schema';
import { failureOfConnection } from '../calls/connection-failure.js';
import { textOf } from '../calls/error-like.js';
import { failureOfStatus } from '../calls/http-failure.js';
import { ProviderFailure } from '../calls/provider-failure.js';

const STATUS_OF: Readonly<Record<string, number>> = {
  ThrottlingException: 429,
  ServiceQuotaExceededException: 429,
  ModelNotReadyException: 429,
  ResourceNotFoundException: 404,
};

/** What an error of the AWS SDK means. */
export function bedrockFailure(error: unknown): ProviderFailure {
  if (typeof error !== 'object' || error === null) return failureOfConnection(error);
  const name = textOf(error, 'name') ?? '';
  if (name === 'CredentialsProviderError') {
    return new ProviderFailure(
      'unauthorized',
      'has no AWS credentials; set aws_access_key_id and aws_secret_access_key or give the service a role',
    );
  }
  const status = STATUS_OF[name] ?? statusIn(error);
  if (status === undefined || status < 300) return failureOfConnection(error);
  return failureOfStatus({
    status,
    headers: headersIn(error),
    text: textOf(error, 'message') ?? '',
    code: name,
  });
}

function statusIn(error: object): number | undefined {
  const status = partOf(error, '$metadata')?.['httpStatusCode'];
  return typeof status === 'number' ? status : undefined;
}

function headersIn(error: object): Readonly<Record<string, string>> | undefined {
  const headers = partOf(error, '$response')?.['headers'];
  if (!isJsonObject(headers)) return undefined;
  const texts = Object.entries(headers).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return Object.fromEntries(texts);
}

function partOf(error: object, key: string): JsonObject | undefined {
  const part: unknown = Reflect.get(error, key);
  return isJsonObject(part) ? part : undefined;
}
