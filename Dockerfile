# One image for each app, on a Node that its digest names (`npm run images:lock` asks for those of today):
#   docker build --target gateway -t loci/gateway:0.1.0 .
# An app with a worker or a migration is started as another process by its command: see docker-compose.yml.
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base

FROM base AS build
WORKDIR /src
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci && npm run build

FROM build AS config-service-tree
RUN node tools/image/tree.mjs config-service /tree

FROM build AS episodic-service-tree
RUN node tools/image/tree.mjs episodic-service /tree

FROM build AS semantic-service-tree
RUN node tools/image/tree.mjs semantic-service /tree

FROM build AS streams-tree
RUN node tools/image/tree.mjs streams /tree

FROM build AS gateway-tree
RUN node tools/image/tree.mjs gateway /tree

FROM build AS backup-tree
RUN node tools/image/backup-tree.mjs /tree

# a stand-in for the providers of models, to try everything without a key; contains the whole build
FROM build AS fake-models
USER 65532:65532
CMD ["node", "libs/testing/dist/fake-models/main.js"]

FROM base AS runtime
# of the release; a build by hand has them of none
ARG VERSION=0.1.0
ARG REVISION=unreleased
LABEL org.opencontainers.image.licenses=Apache-2.0
LABEL org.opencontainers.image.version=$VERSION
LABEL org.opencontainers.image.revision=$REVISION
ENV NODE_ENV=production
WORKDIR /app
# the files belong to root and the process does not: it runs as well on a read-only root file system
USER 65532:65532
HEALTHCHECK --interval=5s --timeout=3s --start-period=20s --retries=3 CMD ["node", "healthcheck.mjs"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["node"]

# `npm run backup` and `restore`, for who has no checkout: docs/operations.md
FROM runtime AS backup
LABEL org.opencontainers.image.title=loci/backup
HEALTHCHECK NONE
COPY --from=backup-tree /tree /app
CMD ["nightly.mjs", "/backups"]

FROM runtime AS service
ENV PROBE_HOST=0.0.0.0 PROBE_PORT=9090
EXPOSE 9090

FROM service AS config-service
LABEL org.opencontainers.image.title=loci/config-service
COPY --from=config-service-tree /tree /app
CMD ["apps/config-service/dist/api.main.js"]

FROM service AS episodic-service
LABEL org.opencontainers.image.title=loci/episodic-service
COPY --from=episodic-service-tree /tree /app
CMD ["apps/episodic-service/dist/api.main.js"]

FROM service AS semantic-service
LABEL org.opencontainers.image.title=loci/semantic-service
COPY --from=semantic-service-tree /tree /app
CMD ["apps/semantic-service/dist/api.main.js"]

FROM service AS streams
LABEL org.opencontainers.image.title=loci/streams
COPY --from=streams-tree /tree /app
CMD ["apps/streams/dist/worker.main.js"]

FROM runtime AS gateway
LABEL org.opencontainers.image.title=loci/gateway
ENV HOST=0.0.0.0 PORT=8080
EXPOSE 8080
COPY --from=gateway-tree /tree /app
CMD ["apps/gateway/dist/api.main.js"]
