/** A program that uses JGloo as a module. */
module io.jgloo.examples.consumer {
  requires io.jgloo;
}
