# A server of OpenEnv environments: `docker build -f deploy/openenv.Dockerfile -t gwray-openenv .`, then
# `docker run -p 8000:8000 gwray-openenv p02_up-and-over 1 observation=text`. Mount /runs to keep the run directory.
FROM docker.io/library/python:3.11-slim
WORKDIR /opt/gwray
ENV PLAYWRIGHT_BROWSERS_PATH=/opt/browsers
COPY . .
RUN pip install --no-cache-dir --editable '.[openenv]' \
 && python scripts/browser.py \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
WORKDIR /runs
EXPOSE 8000
ENTRYPOINT ["gwray", "openenv", "--host", "0.0.0.0"]
CMD ["p02_up-and-over", "1", "observation=text", "run_dir=/runs/rl"]
