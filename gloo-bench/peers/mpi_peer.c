/* Times Open MPI's collectives: mpi_peer OPERATION SECONDS BYTES...
 *
 * Run by mpirun, which also chooses TCP or shared memory. Sizes are bytes per rank as on the Java
 * side: the vector for allreduce and broadcast, all blocks together for reduceScatter, allgather
 * and alltoall. Every size is verified before it is timed. */
#include <mpi.h>
#include <string.h>

#include "timing.h"

static int rank, size;
static float *in, *out;
static int *counts;

static void call(const char *operation, long count) {
  if (!strcmp(operation, "allreduce")) {
    MPI_Allreduce(MPI_IN_PLACE, out, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  } else if (!strcmp(operation, "broadcast")) {
    MPI_Bcast(out, count, MPI_FLOAT, 0, MPI_COMM_WORLD);
  } else if (!strcmp(operation, "barrier")) {
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (!strcmp(operation, "allgather")) {
    MPI_Allgather(in, count / size, MPI_FLOAT, out, count / size, MPI_FLOAT, MPI_COMM_WORLD);
  } else if (!strcmp(operation, "alltoall")) {
    MPI_Alltoall(in, count / size, MPI_FLOAT, out, count / size, MPI_FLOAT, MPI_COMM_WORLD);
  } else if (!strcmp(operation, "reduceScatter")) {
    MPI_Reduce_scatter(in, out, counts, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
  } else if (!strcmp(operation, "sendrecv")) {
    int to = (rank + 1) % size, from = (rank + size - 1) % size;
    MPI_Sendrecv(in, count, MPI_FLOAT, to, 0, out, count, MPI_FLOAT, from, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  } else {
    die("unknown operation");
  }
}

static void verify(const char *operation, long count) {
  if (strcmp(operation, "allreduce")) return;
  for (long i = 0; i < count; i++) out[i] = rank + i % 7;
  call(operation, count);
  for (long i = 0; i < count; i++) {
    if (out[i] != size * (size - 1) / 2 + size * (i % 7)) die("wrong result");
  }
}

static void measure(const char *operation, double seconds, long bytes) {
  long count = bytes / (long)sizeof(float);
  in = calloc(count + size, sizeof *in);
  out = calloc((count + size) * size, sizeof *out);
  for (int i = 0; i < size; i++) counts[i] = count / size + (i < count % size);
  verify(operation, count);
  memset(out, 0, count * sizeof *out);
  int calls = warmup_calls(bytes, seconds);
  double start = now_us();
  for (int i = 0; i < calls; i++) call(operation, count);
  calls = clamp_calls(seconds * 1e6 / ((now_us() - start) / calls));
  MPI_Bcast(&calls, 1, MPI_INT, 0, MPI_COMM_WORLD);
  double *us = malloc(calls * sizeof *us);
  for (int i = 0; i < calls; i++) {
    double t = now_us();
    call(operation, count);
    us[i] = now_us() - t;
  }
  if (rank == 0) print_times(operation, bytes, us, calls);
  free(us);
  free(in);
  free(out);
}

int main(int argc, char **argv) {
  if (argc < 4) die("usage: mpi_peer OPERATION SECONDS BYTES...");
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  counts = calloc(size, sizeof *counts);
  for (int i = 3; i < argc; i++) measure(argv[1], atof(argv[2]), atol(argv[i]));
  MPI_Finalize();
  return 0;
}
