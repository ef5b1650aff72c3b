#!/bin/bash
# The shards of a rollout as an array of Slurm. Submit it in the folder of the project, which all nodes see:
#   sbatch docs/examples/shards-slurm.sh
# After a failure of the machine, continue one shard: EVENKEEL_STATE_DIR=.shards/2 evenkeel resume last --yes
#SBATCH --job-name=rollout
# Keeps two rollouts apart: an array waits until the one before it has ended. Its own tasks run together.
#SBATCH --dependency=singleton
# From 1; evenkeel refuses an array that begins with 0.
#SBATCH --array=1-4
# Slurm must not start a shard a second time: a person resumes it.
#SBATCH --no-requeue
#SBATCH --time=01:00:00
# Two minutes before the time limit, running writes finish, and nothing new starts.
#SBATCH --signal=B:TERM@120
#SBATCH --output=rollout-%a.log

# Each shard keeps its own journal, with which it can be resumed and rolled back.
export EVENKEEL_STATE_DIR=$PWD/.shards/$SLURM_ARRAY_TASK_ID

# `exec`: the signals of Slurm reach evenkeel.
exec evenkeel run playbooks/site.yml -E production --yes --shard auto/4
