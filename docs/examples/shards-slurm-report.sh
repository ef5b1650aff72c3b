#!/bin/bash
# One page and one exit code for the shards of shards-slurm.sh, whatever became of them:
#   sbatch --dependency=afterany:JOB docs/examples/shards-slurm-report.sh
#SBATCH --job-name=rollout-report
#SBATCH --output=rollout-report.log

exec evenkeel report .shards/* --out rollout.html
