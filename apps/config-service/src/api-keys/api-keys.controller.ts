import {
  type ApiKey as ApiKeyShape,
  type ApiKeyList,
  type ApiKeyRequest,
  type ApiKeyTagKey,
  type ApiKeyVerification,
  type ApiKeyVerifications,
  createApiKey,
  type CreateApiKeyRequest,
  type Done,
  getApiKey,
  getApiKeyTagKey,
  type IssuedApiKey,
  listApiKeys,
  type ListApiKeysRequest,
  revokeApiKey,
  rotateApiKey,
  type RotateApiKeyRequest,
  type VerifiedSecret,
  verifyApiKey,
  type VerifyApiKeyRequest,
  verifyApiKeys,
  type VerifyApiKeysRequest,
} from '@loci/contracts';
import { Handle } from '@loci/messaging';
import { Controller } from '@nestjs/common';
import { type ApiKey, formerValidUntil, type ValidSecret } from './api-key.js';
import { ApiKeysService, type Issued } from './api-keys.service.js';

@Controller()
export class ApiKeysController {
  constructor(private readonly keys: ApiKeysService) {}

  @Handle(createApiKey)
  async create(request: CreateApiKeyRequest): Promise<IssuedApiKey> {
    return toIssued(await this.keys.create(request));
  }

  @Handle(listApiKeys)
  async list({ within, ...page }: ListApiKeysRequest): Promise<ApiKeyList> {
    const { keys, total } = await this.keys.list(within, page);
    return { keys: keys.map(toShape), total };
  }

  @Handle(getApiKey)
  async get(request: ApiKeyRequest): Promise<ApiKeyShape> {
    return toShape(await this.keys.get(request));
  }

  @Handle(revokeApiKey)
  async revoke(request: ApiKeyRequest): Promise<Done> {
    await this.keys.revoke(request);
    return {};
  }

  @Handle(rotateApiKey)
  async rotate(request: RotateApiKeyRequest): Promise<IssuedApiKey> {
    return toIssued(await this.keys.rotate(request));
  }

  @Handle(verifyApiKey)
  async verify({ digest }: VerifyApiKeyRequest): Promise<ApiKeyVerification> {
    const [found] = await this.keys.verify([digest]);
    return found ? { key: toVerified(found) } : {};
  }

  @Handle(verifyApiKeys)
  async verifyMany({ digests }: VerifyApiKeysRequest): Promise<ApiKeyVerifications> {
    return { keys: (await this.keys.verify(digests)).map(toVerified) };
  }

  @Handle(getApiKeyTagKey)
  async tagKey(): Promise<ApiKeyTagKey> {
    return { key: Buffer.from(await this.keys.tagKey()).toString('base64') };
  }
}

const toVerified = ({ digest, key, validUntil, isFormer }: ValidSecret): VerifiedSecret => ({
  digest,
  id: key.id,
  name: key.name,
  scopes: key.scopes,
  bounds: key.bounds,
  producer: key.producer,
  expiresAt: validUntil?.toISOString(),
  isFormer,
});

const toIssued = ({ key, secret }: Issued): IssuedApiKey => ({ ...toShape(key), secret });

const toShape = ({ createdAt, expiresAt, rotatedAt, formerExpiresAt, ...key }: ApiKey): ApiKeyShape => ({
  ...key,
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt?.toISOString(),
  rotatedAt: rotatedAt?.toISOString(),
  formerValidUntil: formerValidUntil({ expiresAt, formerExpiresAt }, Date.now())?.toISOString(),
});
