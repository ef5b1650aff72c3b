# The command evenkeel in a container: not root, and able to run with a read-only file system (docs/ci.md#in-a-container).
# Another registry or a mirror: --build-arg NODE=registry.example.com/node:22-slim
ARG NODE=node:22-slim

FROM ${NODE} AS pack
WORKDIR /source
COPY . .
# Installs what package-lock.json names, builds, and packs what is published.
RUN npm pack --pack-destination /tmp

FROM ${NODE}
COPY --from=pack /tmp/evenkeel-*.tgz /tmp/
RUN npm install --global --no-audit --no-fund /tmp/evenkeel-*.tgz && npm cache clean --force && rm -rf /tmp/*
# For volumes: of locks, which the containers of all users share, and of state.
RUN mkdir -m 1777 /locks /state
# The user "node" of the image, by number: Kubernetes checks that it is not root.
USER 1000:1000
WORKDIR /project
# The checkout that is mounted here may belong to any user.
ENV EVENKEEL_TRUSTED_FOLDERS=/project
ENTRYPOINT ["evenkeel"]
CMD ["--help"]
