/** Processes that train one model of LightGBM. */
package io.jgloo.examples.lightgbm;
